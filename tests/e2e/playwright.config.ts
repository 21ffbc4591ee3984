import { defineConfig } from '@playwright/test'
import type { HostOptions } from './linnet.ts'

/** One set of tests for both hosts; `npm test` names the projects that this machine can run. */
export default defineConfig<HostOptions>({
  testDir: '.',
  outputDir: '../../test-results',
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json']],
  use: { trace: 'retain-on-failure', screenshot: 'only-on-failure' },
  projects: [
    { name: 'browser', use: { hostKind: 'browser' } },
    { name: 'electron', use: { hostKind: 'electron' } },
  ],
})
