/**
 * A service is a class, which is its own type (CONTRIBUTING.md). An interface with a single factory declares every
 * method twice, and "go to definition" ends there instead of in the code.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..', 'src')

const OPENED = 'what an opening gives back: a few fields, and how it ends'
const ENTRY = 'entries of a table, each made by the same function'
const STAND_IN = 'a door to the outside, for which tests have one of their own'

/** Interfaces that may keep a single factory, and why. Remove those that are gone or have a second factory. */
const LEFT: Readonly<Record<string, string>> = {
  'engine/account-access.ts: AccountAccess': 'functions without state, of which each handler takes some',
  'engine/api/request-budget.ts: Waiting': 'a value: who waits, and for what',
  'engine/export/write-messages.ts: MessageWriter': 'is fulfilled by each format of a table',
  'engine/open-account-files.ts: AccountFiles': OPENED,
  'engine/outbox/outbox-file.ts: OpenedOutbox': OPENED,
  'engine/pictures/fetch-picture.ts: PictureReach': STAND_IN,
  'engine/store/cache.ts: Cache': 'stores side by side, inferred from what makes them',
  'engine/store/cache.ts: CacheListeners': 'a parameter, with nobody who listens and with an account that does',
  'engine/store/cache.ts: ReadCache': 'a part of the cache, for those who only read',
  'engine/store/contacts.ts: PendingContacts':
    'a parameter: what the cache asks the outbox, and nobody for who only reads',
  'engine/store/open-database.ts: OpenedDatabase': OPENED,
  'engine/unified-threads/merge-lists.ts: CountEstimate': 'a rule with what it was made for',
  'host/demo-platform.ts: DemoPlatform': OPENED,
  'host/engine-thread.ts: EngineThread':
    'is spread into the steady engine of `engine-supervisor`, which methods of a class would not survive',
  'host/updates.ts: HostUpdates': 'is fulfilled beyond a wall, by Electron’s side',
  'main/start.ts: Started': OPENED,
  'renderer/browser-transport.ts: BrowserLine': STAND_IN,
  'renderer/features/attachments/open-pdf.ts: OpenPdf': OPENED,
  'renderer/features/source/commands.ts: EmailCommand': ENTRY,
  'renderer/features/threads/commands.ts: Sentences': ENTRY,
  'renderer/features/writing/commands.ts: AnswerCommand': ENTRY,
  'service/start-platform.ts: PlatformOptions': 'a parameter: what other projects start a platform with',
  'shared/search/words.ts: PlacedText': 'a value: words and how to find their places',
}

interface Source {
  readonly file: string
  readonly text: string
}

/** Counts how often a file makes a value of this interface: as a return type, a constant, or an implementing class. */
const timesMadeIn = (name: string, text: string): number =>
  text.match(
    new RegExp(
      String.raw`\): (?:Required<|Promise<)?${name}(?:<[^>]*>)?>? =>|: ${name}(?:<[^>]*>)? = \{|\bimplements (?:[\w<>, ]+, )?${name}\b`,
      'g',
    ),
  )?.length ?? 0

const hasMethod = (body: string): boolean =>
  /^ {2}(?:readonly )?\w+\??: (?:<\w+>)?\(.*=>|^ {2}readonly \w+: \($|^ {2}\w+\(/m.test(body)

const interfacesOf = (text: string) =>
  [...text.matchAll(/^(?:export )?interface (\w+)[^{\n]*\{\n(.*?)^\}/gms)].map(([, name = '', body = '']) => ({
    name,
    body,
  }))

const onlyOnce = (sources: readonly Source[]): readonly string[] =>
  sources.flatMap(({ file, text }) =>
    interfacesOf(text)
      .filter(({ name, body }) => hasMethod(body) && timesMadeIn(name, text) === 1)
      .filter(({ name }) => {
        const isImported = new RegExp(String.raw`import[^;]*?\b${name}\b[^;]*?from`)
        return !sources.some(
          (other) => other.file !== file && isImported.test(other.text) && timesMadeIn(name, other.text) > 0,
        )
      })
      .map(({ name }) => `${file}: ${name}`),
  )

it('has no service interface with a single implementation', () => {
  const sources = globSync('**/*.ts', { cwd: root }).map((path) => ({
    file: path.replaceAll('\\', '/'),
    text: readFileSync(join(root, path), 'utf8'),
  }))
  expect(onlyOnce(sources).toSorted()).toEqual(Object.keys(LEFT).toSorted())
})

it('finds an interface with one factory, but none with two', () => {
  const service = 'export interface Door {\n  readonly open: () => void\n}\n'
  const factory = 'export const createDoor = (): Door => ({ open: () => undefined })\n'
  const other = "import type { Door } from './door.ts'\nclass Gate implements Door {}\n"
  expect(onlyOnce([{ file: 'door.ts', text: service + factory }])).toEqual(['door.ts: Door'])
  expect(
    onlyOnce([
      { file: 'door.ts', text: service + factory },
      { file: 'gate.ts', text: other },
    ]),
  ).toEqual([])
})
