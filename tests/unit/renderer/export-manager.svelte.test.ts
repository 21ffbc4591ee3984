import { describe, expect, it } from 'vitest'
import { createBackend } from '../../../src/renderer/kernel/backend.ts'
import { describeExport } from '../../../src/renderer/features/export/describe-export.ts'
import { ExportManager } from '../../../src/renderer/features/export/export-manager.svelte.ts'
import { ToastManager } from '../../../src/renderer/kernel/toast-manager.svelte.ts'
import type { ExportState } from '../../../src/shared/export.ts'
import { createFixtureTransport } from './support/fixture-transport.ts'
import { until } from './support/until.ts'

const STOPPED: ExportState = {
  ...{ id: 'one', format: 'mbox', path: '/mail.mbox', stage: 'stopped', problem: null, startedAt: 0 },
  ...{ total: null, done: 0, bytes: 0, rebuilt: 0, incomplete: 0, missing: 0, missingThreads: 0, isWhole: true },
}

const open = (first: ExportState) => {
  let state = first
  const transport = createFixtureTransport({
    handlers: {
      'export.list': () => [state],
      'export.restart': () => {
        state = { ...state, stage: 'gathering', problem: null }
        return null
      },
    },
  })
  const toasts = new ToastManager()
  const exports = new ExportManager(createBackend(transport), toasts)
  const become = (next: ExportState): void => {
    state = next
    transport.emit({ name: 'exports.changed', payload: null })
  }
  return { exports, toasts, become }
}

describe('interrupted export', () => {
  it('is reported when the window opens after Linnet closed, and can restart', async () => {
    const { exports, toasts } = open(STOPPED)
    await exports.load()
    expect(toasts.shown?.text).toBe('An export was interrupted. Open Export to start it again.')
    expect(exports.current).toMatchObject({ id: 'one', stage: 'stopped' })
    expect(describeExport(STOPPED)).toBe('Linnet closed before this export was complete. Start it again.')
    await exports.restart('one')
    expect(exports.current).toMatchObject({ id: 'one', stage: 'gathering' })
  })

  it('is reported with the engine’s message when the disk is full', async () => {
    const { exports, toasts, become } = open({ ...STOPPED, stage: 'writing' })
    await exports.load()
    expect(toasts.shown).toBeNull()
    const problem = { code: 'storage_failed', message: 'The disk is full.' } as const
    become({ ...STOPPED, problem })
    await until(() => toasts.shown !== null)
    expect(toasts.shown?.text).toBe('The disk is full.')
    expect(describeExport({ ...STOPPED, problem })).toBe('The disk is full.')
  })
})
