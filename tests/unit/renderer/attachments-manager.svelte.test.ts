// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { AttachmentsManager } from '../../../src/renderer/features/attachments/attachments-manager.svelte.ts'
import { createBackend } from '../../../src/renderer/kernel/backend.ts'
import { ToastManager } from '../../../src/renderer/kernel/toast-manager.svelte.ts'
import type { SavedFile } from '../../../src/shared/contract.ts'
import { ProblemError } from '../../../src/shared/result.ts'
import { createFixtureTransport } from './support/fixture-transport.ts'

const OF = { list: 'received', emailId: 'email-1' } as const

describe('saving attachments', () => {
  it('reports the folder or the failure, and nothing after a cancel', async () => {
    const toasts = new ToastManager()
    const answers: SavedFile[] = [{ kind: 'saved', path: '/home/ann/Papers' }, { kind: 'cancelled' }]
    const save = (): SavedFile => {
      const answer = answers.shift()
      if (answer === undefined) throw new ProblemError({ code: 'not_found', message: 'This e-mail is gone.' })
      return answer
    }
    const transport = createFixtureTransport({ handlers: { 'attachment.saveAll': save } })
    const manager = new AttachmentsManager(createBackend(transport), toasts)
    const said: (string | undefined)[] = []
    for (let time = 0; time < 3; time += 1) {
      await manager.saveAll(OF, [])
      said.push(toasts.shown?.text)
    }
    expect(said).toEqual(['Saved in /home/ann/Papers', 'Saved in /home/ann/Papers', 'This e-mail is gone.'])
  })
})
