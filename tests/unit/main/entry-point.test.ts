import { readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../support/program.ts'

/** Modules that a file loads immediately, without types and dynamic imports. */
const importsOf = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type )[^'"]*?from '([^']+)'|^import '([^']+)'/gm)].map(
    ([, from = '', alone = '']) => from + alone,
  )

const reach = (file: string, found = new Set<string>()): ReadonlySet<string> => {
  for (const name of importsOf(file)) {
    const target = name.startsWith('.') ? resolve(dirname(file), name) : name
    if (found.has(target)) continue
    found.add(target)
    if (name.startsWith('.')) reach(target, found)
  }
  return found
}

it('loads only what the window needs to start', () => {
  const reached = [...reach(resolve(root, 'src/main/index.ts'))].map((name) =>
    name.startsWith(root) ? relative(root, name) : name,
  )
  expect(reached).toContain('src/main/main-window.ts')
  expect(reached.filter((name) => !/^(?:src\/|node:|electron$)/.test(name))).toEqual([])
  // The contract is built from schemas, and the host loads everything else.
  const heavy = ['contract', 'preferences', 'thread-query'].map((name) => `src/shared/${name}.ts`)
  const rest = ['src/main/start.ts', 'src/host/host.ts']
  expect(reached.filter((name) => [...heavy, ...rest].includes(name))).toEqual([])
  expect([...reach(resolve(root, 'src/main/start.ts'))]).toContain('zod')
})

it('loads only what the startup snapshot needs', () => {
  const reached = [...reach(resolve(root, 'src/renderer/main.ts'))].map((name) => relative(root, name))
  expect(reached.filter((name) => !name.endsWith('.css')).toSorted()).toEqual([
    'src/renderer/early-keys.ts',
    // Only key names, to move the startup snapshot's cursor.
    'src/renderer/features/lists/row-navigation.ts',
    'src/renderer/kernel/name-key.ts',
    'src/shared/startup-snapshot.ts',
  ])
})
