import { availableParallelism } from 'node:os'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

/** The tests of one folder, as Node runs them. */
const inNode = (name: string) => ({ extends: true as const, test: { name, include: [`tests/${name}/**/*.test.ts`] } })

/** The window's managers are compiled by Svelte, for a browser; everything else runs as Node runs it. */
export default defineConfig({
  test: {
    // Tests wait more than they compute: one worker fewer than there are cores leaves a small machine idle.
    maxWorkers: Math.max(2, availableParallelism()),
    // They end what hangs, and say nothing about speed: a test has to pass on a machine that has other things to do.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.ts'],
          exclude: ['tests/unit/renderer/**'],
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
        test: { name: 'renderer', include: ['tests/unit/renderer/**/*.test.ts'], isolate: false },
      },
      ...['integration', 'endurance'].map((name) => {
        const project = inNode(name)
        return { ...project, test: { ...project.test, globalSetup: 'tests/support/build-first.ts' } }
      }),
    ],
  },
})
