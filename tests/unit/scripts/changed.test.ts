import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { byNearness, checksOf, specsOf } from '../../../scripts/changed.mjs'

const SPECS = [
  'labels.spec.ts',
  'search.spec.ts',
  'searching-lists.spec.ts',
  'writing.spec.ts',
  'writing-in-all-inboxes.spec.ts',
]

it('selects the end-to-end tests that a change edits or whose feature it touches', () => {
  expect(specsOf(['tests/e2e/search.spec.ts'], SPECS)).toEqual(['search.spec.ts'])
  expect(specsOf(['src/renderer/features/labels/LabelPicker.svelte'], SPECS)).toEqual(['labels.spec.ts'])
  expect(specsOf(['src/renderer/features/writing/Composer.svelte'], SPECS)).toEqual([
    'writing.spec.ts',
    'writing-in-all-inboxes.spec.ts',
  ])
  expect(specsOf(['src/engine/outbox/change-queue.ts', 'docs/labels.md'], SPECS)).toEqual([])
})

it('runs only the checks that a change can fail', () => {
  expect(checksOf(['docs/labels.md'])).toEqual(['oxfmt --check "docs/labels.md"'])
  expect(checksOf(['src/engine/account.ts'])).toEqual(['oxlint', 'oxfmt --check "src/engine/account.ts"'])
  expect(checksOf(['src/shared/model.ts']).slice(0, 2)).toEqual([
    'oxlint',
    'svelte-check --tsconfig tsconfig.web.json --fail-on-warnings',
  ])
  expect(checksOf(['src/renderer/app/App.svelte']).slice(0, 2)).toEqual([
    'svelte-check --tsconfig tsconfig.web.json --fail-on-warnings',
    'eslint --max-warnings 0 "src/renderer/app/App.svelte"',
  ])
  expect(checksOf(['resources/icon.png'])).toEqual([])
  // The types of other modules can depend on a deleted one.
  expect(checksOf(['src/engine/no-longer-here.ts'])).toEqual(['oxlint'])
})

it('treats component warnings as errors in both kinds of check', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  expect(scripts.check).toContain('npm run --silent check:slow')
  expect(scripts['check:slow']).toContain('eslint src --max-warnings 0')
  expect(checksOf(['src/renderer/app/App.svelte'])).toContain('eslint --max-warnings 0 "src/renderer/app/App.svelte"')
})

it('runs the tests nearest to a change first', () => {
  const tests = ['sync', 'exporting', 'labels'].map((name) => `tests/integration/engine/${name}.test.ts`)
  expect(
    byNearness([...tests, 'tests/unit/engine/export-zip.test.ts'], ['src/engine/export/zip.ts', tests[2] ?? '']),
  ).toEqual([tests[2], 'tests/unit/engine/export-zip.test.ts', tests[1], tests[0]])
})
