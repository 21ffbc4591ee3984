import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Left to `npm test -- --all`: growth with the size of the input, models of thousands of
 * steps, the command line, other programs, packages, very large or damaged mailboxes, backups and exports,
 * and what is rare: changing accounts, signing in, imports, slow networks, lesser platforms.
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
  'integration/engine/{storage,slow-connection,topics-of-many,usage,watching}',
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
 * A worker goes on only with a file of its own project and environment, and only where that comes next: else it ends, and another one
 * loads jsdom and all modules again. Files of one environment come one after the other.
 */
class ByEnvironment extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...Map.groupBy(sorted, (file) => `${file.project.name} ${needsWindow(file)}`).values()].flat()
  }
}

/** The window's managers are compiled by Svelte, for a browser; everything else runs as Node runs it. */
export default defineConfig({
  test: {
    // Tests wait more than they compute: one worker fewer than there are cores leaves a small machine idle.
    maxWorkers: Math.max(2, availableParallelism()),
    // They end what hangs, and say nothing about speed: a test has to pass on a machine that has other things to do.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Whoever reads a log has an error's first lines alone: they hold what was expected and what came.
    chaiConfig: { truncateThreshold: 400 },
    sequence: { sequencer: ByEnvironment },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: filesOf('unit'),
          exclude: ['tests/unit/renderer/**', ...leftOut],
          // A module is read once for all files of a worker, and not once a file.
          isolate: false,
          // The first two import JSON without saying so, which Node does not take and Vite does; the last imports Electron, for which a test
          // has a stand-in.
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
