import { describe, expect, it, vi } from 'vitest'
import { createUpdateHandlers, type HostUpdates } from '../../../src/host/updates.ts'
import type { UpdateState } from '../../../src/shared/updates.ts'

const ASKING = { accountId: null, caller: 'window' }
const ready: UpdateState = {
  version: '1.0.0',
  unable: null,
  server: 'releases.linnet.example',
  checkedAt: 1,
  step: { kind: 'ready', version: '1.1.0' },
}
const updatesWith = (): HostUpdates & { readonly install: ReturnType<typeof vi.fn> } => ({
  state: () => ready,
  check: () => Promise.resolve(ready),
  install: vi.fn(() => Promise.resolve()),
})

describe('an update', () => {
  it.each([
    [{ unsent: 1, exports: 0 }, '1 change or message has not been sent yet'],
    [{ unsent: 3, exports: 0 }, '3 changes and messages have not been sent yet'],
    [{ unsent: 0, exports: 1 }, '1 export is still running'],
    [{ unsent: 2, exports: 2 }, '2 changes and messages have not been sent yet, and 2 exports are still running'],
  ])('waits for unfinished work (%j)', async (unfinished, words) => {
    const updates = updatesWith()
    const handlers = createUpdateHandlers(updates, () => Promise.resolve(unfinished))
    await expect(handlers['update.install']({}, ASKING)).rejects.toThrow(words)
    expect(updates.install).not.toHaveBeenCalled()
  })

  it('is installed if nothing is unfinished', async () => {
    const updates = updatesWith()
    const handlers = createUpdateHandlers(updates, () => Promise.resolve({ unsent: 0, exports: 0 }))
    await handlers['update.install']({}, ASKING)
    expect(updates.install).toHaveBeenCalledTimes(1)
  })

  it('waits if unsent work can’t be ruled out', async () => {
    const updates = updatesWith()
    const handlers = createUpdateHandlers(updates, () => Promise.reject(new Error('The engine has ended.')))
    await expect(handlers['update.install']({}, ASKING)).rejects.toThrow('The engine has ended.')
    expect(updates.install).not.toHaveBeenCalled()
  })

  it('is unavailable in a browser, and says so', () => {
    const handlers = createUpdateHandlers(null, () => Promise.reject(new Error('It is not asked for.')))
    expect(handlers['update.state']({}, ASKING)).toBeNull()
    expect(() => handlers['update.check']({}, ASKING)).toThrow('on the computer where it runs')
  })
})
