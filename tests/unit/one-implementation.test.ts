/**
 * A service is a class, which is its own type (CONTRIBUTING.md). An interface with a single factory declares every
 * method twice, and "go to definition" ends there instead of in the code.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..', 'src')

const OPENED = 'the result of opening something: a few fields and `close`'
const ENTRY = 'entries of a table, all created by one function'
const STAND_IN = 'access to the outside world, replaced in tests'

/** Interfaces that may keep a single factory, and why. Remove those that are gone or have a second factory. */
const LEFT: Readonly<Record<string, string>> = {
  'engine/account-access.ts: AccountAccess': 'stateless functions; each handler uses some of them',
  'engine/api/request-budget.ts: Waiting': 'a value: a caller in the queue',
  'engine/export/write-messages.ts: MessageWriter': 'implemented by each export format',
  'engine/open-account-files.ts: AccountFiles': OPENED,
  'engine/outbox/outbox-file.ts: OpenedOutbox': OPENED,
  'engine/pictures/fetch-picture.ts: PictureFetchPolicy': STAND_IN,
  'engine/store/cache.ts: Cache': 'a group of stores, inferred from their factories',
  'engine/store/cache.ts: CacheListeners': 'a parameter: no listeners, or those of an account',
  'engine/store/cache.ts: ReadOnlyCache': 'the part of the cache that readers may use',
  'engine/store/contacts.ts: PendingContacts': 'a parameter: the outbox, or nothing for read-only access',
  'engine/store/open-database.ts: OpenedDatabase': OPENED,
  'engine/unified-threads/merge-lists.ts: CountEstimate': 'a function with its context',
  'host/demo-platform.ts: DemoPlatform': OPENED,
  'host/engine-worker.ts: EngineWorker':
    'spread into the object of `engine-supervisor`, which would lose class methods',
  'host/updates.ts: HostUpdates': 'implemented by Electron’s side, which imports can’t reach',
  'main/start.ts: StartedApp': OPENED,
  'renderer/browser-transport.ts: BrowserTransportDependencies': STAND_IN,
  'renderer/features/attachments/open-pdf.ts: OpenPdf': OPENED,
  'renderer/features/source/commands.ts: EmailCommand': ENTRY,
  'renderer/features/threads/commands.ts: ThreadSentences': ENTRY,
  'renderer/features/writing/commands.ts: ReplyCommand': ENTRY,
  'renderer/ui/windowed-list.svelte.ts: ListOptions': 'a parameter with a default',
  'service/start-platform.ts: PlatformOptions': 'a parameter for other projects that start a platform',
  'shared/search/word-tokenizer.ts: PlacedText': 'a value: words and their positions',
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
