/**
 * The session holds each feature's state while an account is open, and every component gets all of it. As with imports
 * (scripts/import-zones.mjs), a feature may use only its own state and that of earlier features.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { features } from '../../../scripts/import-zones.mjs'

const FEATURES = join(import.meta.dirname, '../../../src/renderer/features')

const sources = globSync('**/*.{ts,svelte}', { cwd: FEATURES }).map((file) => ({
  feature: file.split(/[/\\]/)[0] ?? '',
  text: readFileSync(join(FEATURES, file), 'utf8'),
}))

const frame = readFileSync(join(FEATURES, '../app/create-session.ts'), 'utf8')
const folders = new Map(
  [...frame.matchAll(/import \{([^}]+)\} from '\.\.\/features\/([\w-]+)\//g)].flatMap(([, names = '', folder = '']) =>
    names.split(',').map((name) => [name.trim(), folder] as const),
  ),
)

/** Owner of each member: the feature whose class the frame creates for it. */
const keepers = new Map(
  [...frame.matchAll(/(\w+)(?:: | = )new (\w+)\(/g)].flatMap(([, name = '', made = '']) => {
    const feature = folders.get(made)
    return feature === undefined ? [] : [[name, feature] as const]
  }),
)

/** Session members that a source uses, directly or destructured. */
const takenIn = (text: string): readonly string[] => [
  ...[...text.matchAll(/\bsession\??\.(\w+)/g)].map(([, name = '']) => name),
  ...[...text.matchAll(/\{([^{}]*)\}\s*=\s*(?:useSession\(\)|[\w.]*session\b)|\bsession: \{([^{}]*)\}/g)].flatMap(
    ([, names, within]) => (names ?? within ?? '').split(',').map((name) => name.split(':')[0]?.trim() ?? ''),
  ),
]

it('lets no feature use the state of a later one', () => {
  expect(keepers.size).toBeGreaterThan(30)
  const upward = sources.flatMap(({ feature, text }) =>
    takenIn(text).flatMap((name) => {
      const keeper = keepers.get(name)
      const isLater = keeper !== undefined && features.indexOf(keeper) > features.indexOf(feature)
      return isLater ? [`${feature} asks ${keeper} for ${name}`] : []
    }),
  )
  expect([...new Set(upward)].toSorted()).toEqual([
    // Pointing at a name shows the contact card.
    'trust asks person for person',
    // In contacts, a new message goes to the current one.
    'writing asks contacts for contacts',
  ])
})
