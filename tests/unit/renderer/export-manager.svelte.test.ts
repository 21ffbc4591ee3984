import { expect, it } from 'vitest'
import { createBackend } from '../../../src/renderer/kernel/backend.ts'
import { describeExport } from '../../../src/renderer/features/export/describe-export.ts'
import { ExportManager } from '../../../src/renderer/features/export/export-manager.svelte.ts'
import { ToastManager } from '../../../src/renderer/kernel/toast-manager.svelte.ts'
import type { ExportState } from '../../../src/shared/export.ts'
import { createFixtureTransport } from './support/fixture-transport.ts'
import { until } from './support/until.ts'

const WRITING: ExportState = {
  ...{ id: 'one', format: 'mbox', path: '/mail.mbox', stage: 'writing', problem: null, startedAt: 0 },
  ...{ total: 3, done: 0, bytes: 0, rebuilt: 0, incomplete: 0, missing: 0, missingThreads: 0, isWhole: true },
}

it('reports an export on a full disk with the engine’s message', async () => {
  let state = WRITING
  const transport = createFixtureTransport({ handlers: { 'export.list': () => [state] } })
  const toasts = new ToastManager()
  const exports = new ExportManager(createBackend(transport), toasts)
  await exports.load()
  expect([toasts.shown, describeExport(state)]).toEqual([null, '0 of 3 messages'])
  state = { ...WRITING, stage: 'stopped', problem: { code: 'storage_failed', message: 'The disk is full.' } }
  transport.emit({ name: 'exports.changed', payload: null })
  await until(() => toasts.shown !== null)
  expect(toasts.shown?.text).toBe('The disk is full.')
  expect(describeExport(state)).toBe('The disk is full.')
  expect(exports.current).toMatchObject({ id: 'one', stage: 'stopped' })
})
