import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Only `npm test -- --all` runs these: growth with the size of the input, models of thousands of steps, the command
 * line, other programs, packages, very large or damaged mailboxes, backups and exports, and rare events (changing
 * accounts, signing in, imports, slow networks, platforms with fewer operations).
 */
const NOT_IN_USUAL_RUN = [
  'unit/**/growth',
  'unit/engine/export-zip',
  'unit/engine/network/private-targets',
  'unit/engine/outbox/{reads-before-write,labels-of-many}',
  'unit/engine/search-index/{mail-with-person,thread-order}',
  'unit/engine/store/{backlog,list-index}',
  'unit/renderer/{sent-as-shown,unseen}',
  'integration/cli/*',
  'integration/engine/{all-inboxes,remote-replies,astray,backup,backup-troubles,damage,endless-lists,export-import}',
  'integration/engine/{exporting,faults,importing-contacts,prefetch,large-changes,large-messages,large-threads}',
  'integration/engine/{lesser-platforms,one-at-fault,other-clients,reminder-answers,salvaging-local-mail,captive-portal}',
  'integration/engine/{storage,slow-connection,topics-of-many,usage,watching,webhook-log-faults}',
  'integration/host/{accounts,browser-sign-in}',
  'integration/scripts/{package-check,test}',
]
  .map((name) => `tests/${name}.test.ts`)
  .concat(
    ['unit/growth', 'integration/{openapi,package,process,search-beside-mail}'].map(
      (name) => `packages/platform/tests/${name}.test.ts`,
    ),
  )
const share = process.env.LINNET_TEST_SHARE ?? 'all'
const leftOut = share === 'usual' ? NOT_IN_USUAL_RUN : []
const rarer = share === 'rarer' ? globSync(NOT_IN_USUAL_RUN).map((file) => file.replaceAll('\\', '/')) : []

/** Patterns of a folder's tests in this run. All endurance tests count as rarer. */
const filesOf = (folder: string): string[] =>
  share === 'rarer' && folder !== 'endurance'
    ? rarer.filter((file) => file.includes(`tests/${folder}/`))
    : [`{packages/*/,}tests/${folder}/**/*.test.ts`]

const needsWindow = ({ moduleId }: TestSpecification): boolean =>
  readFileSync(moduleId, 'utf8').startsWith('// @vitest-environment jsdom')

/**
 * Sorts files by project and environment. A worker takes the next file only if both are the same; otherwise a new worker
 * loads jsdom and all modules again.
 */
class ByEnvironment extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...Map.groupBy(sorted, (file) => `${file.project.name} ${needsWindow(file)}`).values()].flat()
  }
}

/** Svelte compiles the window's managers for a browser. Everything else runs as in Node. */
export default defineConfig({
  test: {
    // Tests wait more than they compute, so the default of one worker fewer than cores leaves a small machine idle.
    maxWorkers: Math.max(2, availableParallelism()),
    // Only for tests that hang: a test must also pass on a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // A log may show only the first lines of an error, so they should contain both values.
    chaiConfig: { truncateThreshold: 400 },
    sequence: { sequencer: ByEnvironment },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: filesOf('unit'),
          exclude: ['tests/unit/renderer/**', ...leftOut],
          // Loads a module once per worker instead of once per file.
          isolate: false,
          // The first two import JSON without an import attribute, which Vite allows and Node doesn't. A test replaces the
          // `electron` that the last one imports.
          server: { deps: { inline: ['@actions/workflow-parser', '@actions/expressions', 'electron-store'] } },
        },
      },
      {
        extends: true,
        plugins: [svelte()],
        resolve: { conditions: ['browser'] },
        test: {
          name: 'renderer',
          include: filesOf('unit/renderer'),
          exclude: leftOut,
          isolate: false,
          setupFiles: 'tests/unit/renderer/support/reset-jsdom.ts',
        },
      },
      ...['integration', 'endurance'].map((name) => ({
        extends: true as const,
        test: {
          name,
          include: filesOf(name),
          exclude: leftOut,
          globalSetup: 'tests/support/build-first.ts',
          isolate: false,
          // These tests mostly wait for platforms and hosts, so three workers per core keep the CPU busy.
          maxWorkers: 3 * availableParallelism(),
          sequence: { groupOrder: 1 },
        },
      })),
    ],
  },
})
