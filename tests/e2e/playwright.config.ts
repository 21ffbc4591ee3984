import { defineConfig } from '@playwright/test'
import type { HostOptions } from './linnet.ts'

/**
 * What happens in the window alone: the same code over the same link in both hosts. `npm test` tries it in one of them, and in
 * both with `--both-hosts`, as CI does; Playwright by itself knows no difference.
 */
const IN_THE_WINDOW_ALONE = [
  'accessibility',
  'clearing',
  'commands',
  'context-menu',
  'contacts',
  'conversation',
  'dark-mail',
  'hostile-corpus',
  'keeping',
  'kept-mail',
  'labels',
  'malformed-mail',
  'marks',
  'moving',
  'operations',
  'person',
  'previews',
  'saved-searches',
  'screen',
  'search',
  'searching-lists',
  'selection',
  'sorting',
  'two-inboxes',
  'walk',
].map((name) => `**/${name}.spec.ts`)
const isShort = process.env.LINNET_TEST_ONE_HOST === '1'

/** One set of tests for both hosts; `npm test` names the projects that this machine can run. */
export default defineConfig<object, HostOptions>({
  testDir: '.',
  outputDir: '../../test-results',
  workers: 2,
  // They end what hangs, and say nothing about speed: a test has to pass on a machine that has other things to do.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['json']],
  // To trace every test takes a fifth longer: `--trace on` where a trace is wanted.
  use: { trace: 'off', screenshot: 'only-on-failure' },
  projects: [
    { name: 'browser', use: { hostKind: 'browser' } },
    { name: 'electron', use: { hostKind: 'electron' }, testIgnore: isShort ? IN_THE_WINDOW_ALONE : [] },
  ],
})
