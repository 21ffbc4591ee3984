import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import type { HostOptions } from './linnet.ts'

/**
 * Specs of the window or the engine alone: both hosts run the same code over the same link. `npm test` and CI run them
 * in the browser; `--both-hosts` or `--long` runs them in both. Single tests of this kind are tagged @window.
 */
const IN_THE_WINDOW_ALONE = [
  'accessibility',
  'accounts',
  'agent',
  'all-inboxes',
  'remote-replies',
  'answering',
  'assigning',
  'assistants',
  'clearing',
  'commands',
  'contacts',
  'context-menu',
  'conversation',
  'damage',
  'dark-mail',
  'decisions-kept',
  'deliveries',
  'editing-contacts',
  'every-list',
  'first-start',
  'heavy-mail',
  'hostile-corpus',
  'kept-mail',
  'keyboard',
  'labels',
  'marks',
  'sharing',
  'person',
  'previews',
  'received-for',
  'refusals',
  'rules',
  'saved-searches',
  'screen',
  'search',
  'searching-lists',
  'selection',
  'sending',
  'snippets',
  'snoozing',
  'sorting',
  'source',
  'special-mail',
  'split-inbox',
  'suppressions',
  'templates',
  'topics',
  'two-inboxes',
  'walk',
  'writing',
  'writing-in-all-inboxes',
].map((name) => `**/${name}.spec.ts`)
const isShort = process.env.LINNET_TEST_ONE_HOST === '1'

/** Specs of `npm test`: the most common tasks, and safety from hostile mail. `npm test -- --all` runs every spec. */
const IN_USUAL_RUN = ['hostile-mail', 'keyboard', 'lock-down', 'reading', 'search', 'sending', 'sorting'].map(
  (name) => `**/${name}.spec.ts`,
)
const share = process.env.LINNET_TEST_SHARE

/** The same tests for both hosts; `npm test` names the projects that this machine can run. */
export default defineConfig<object, HostOptions>({
  testDir: '.',
  ...(share === 'usual' && { testMatch: IN_USUAL_RUN }),
  ...(share === 'rarer' && { testIgnore: IN_USUAL_RUN }),
  globalSetup: './share-folder.ts',
  outputDir: '../../test-results',
  // Each test has its own platform and host.
  fullyParallel: true,
  // With more workers than cores, a window can wait seconds for CPU time.
  workers: availableParallelism(),
  // Meant only for tests that hang: all tests must also pass on a busy machine.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  // Tracing takes a fifth longer; use `--trace on` when needed.
  use: { trace: 'off', screenshot: 'only-on-failure' },
  projects: [
    { name: 'browser', use: { hostKind: 'browser' } },
    {
      name: 'electron',
      use: { hostKind: 'electron' },
      ...(isShort && { testIgnore: IN_THE_WINDOW_ALONE, grepInvert: /@window/ }),
    },
  ],
})
