/**
 * The session has what each feature keeps while an account is open, and every component gets all of it. What the linter holds of
 * imports (scripts/walls.mjs) holds of this as well: a feature asks for what it keeps itself, or what is kept before it.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { features } from '../../../scripts/walls.mjs'

const FEATURES = join(import.meta.dirname, '../../../src/renderer/features')

const sources = globSync('**/*.{ts,svelte}', { cwd: FEATURES }).map((file) => ({
  feature: file.split(/[/\\]/)[0] ?? '',
  text: readFileSync(join(FEATURES, file), 'utf8'),
}))

/** Which feature keeps what: `interface Session` is extended where a thing is kept. */
const keepers = new Map(
  sources.flatMap(({ feature, text }) =>
    [...text.matchAll(/interface Session \{([\s\S]*?)\n {2}\}/g)].flatMap(([, members = '']) =>
      [...members.matchAll(/readonly (\w+):/g)].map(([, name = '']) => [name, feature] as const),
    ),
  ),
)

/** What a source takes of the session, by its name or apart. */
const takenIn = (text: string): readonly string[] => [
  ...[...text.matchAll(/\bsession\??\.(\w+)/g)].map(([, name = '']) => name),
  ...[...text.matchAll(/\{([^{}]*)\}\s*=\s*(?:useSession\(\)|[\w.]*session\b)|\bsession: \{([^{}]*)\}/g)].flatMap(
    ([, names, within]) => (names ?? within ?? '').split(',').map((name) => name.split(':')[0]?.trim() ?? ''),
  ),
]

it('gives no feature what a later one keeps', () => {
  expect(keepers.size).toBeGreaterThan(30)
  const upward = sources.flatMap(({ feature, text }) =>
    takenIn(text).flatMap((name) => {
      const keeper = keepers.get(name)
      const isLater = keeper !== undefined && features.indexOf(keeper) > features.indexOf(feature)
      return isLater ? [`${feature} asks ${keeper} for ${name}`] : []
    }),
  )
  expect([...new Set(upward)].toSorted()).toEqual([
    // Whose name is pointed at is shown by the card beside the list.
    'trust asks person for person',
    // Among contacts a new message is to the one that the person is at.
    'writing asks contacts for contacts',
  ])
})
