import { defineConfig } from '@playwright/test'
import type { HostOptions } from './linnet.ts'

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
    { name: 'electron', use: { hostKind: 'electron' } },
  ],
})
