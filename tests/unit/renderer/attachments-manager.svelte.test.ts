// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest'
import { AttachmentsManager } from '../../../src/renderer/features/attachments/attachments-manager.svelte.ts'
import { createBackend } from '../../../src/renderer/kernel/backend.ts'
import { ToastManager } from '../../../src/renderer/kernel/toast-manager.svelte.ts'
import type { OpenedAttachment } from '../../../src/shared/attachments.ts'
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

it('saves a single attachment as a file, not in a folder', async () => {
  const called: string[] = []
  const save = (name: string) => (): SavedFile => {
    called.push(name)
    return { kind: 'cancelled' }
  }
  const transport = createFixtureTransport({
    handlers: {
      'attachment.open': () => ({ bytes: 5, pieces: 1, version: 'v1', look: null, risk: null }),
      'attachment.save': save('save'),
      'attachment.saveAll': save('saveAll'),
    },
  })
  const manager = new AttachmentsManager(createBackend(transport), new ToastManager())
  const file = (id: string) => ({ id, filename: id, size: 5, contentType: null, contentId: null })
  await manager.saveAll(OF, [file('tides.csv')])
  await manager.saveAll(OF, [file('tides.csv'), file('moon.csv')])
  expect(called).toEqual(['save', 'saveAll'])
})

describe('dragging a file out of the window', () => {
  afterEach(() => document.body.replaceChildren())

  const attachment = { id: 'a1', filename: 'plan.pdf', size: 5, contentType: null, contentId: null }

  /** Starts a drag of an element, whose download ends with `finish`. */
  const drag = (dragged: typeof attachment | null, isStarted = true) => {
    const calls: string[] = []
    const downloaded = Promise.withResolvers<OpenedAttachment>()
    const transport = createFixtureTransport({
      handlers: {
        'attachment.open': () => downloaded.promise,
        'attachment.save': () => {
          calls.push('attachment.save')
          return { kind: 'cancelled' }
        },
        'fileDrag.start': (input) => {
          calls.push(`start ${JSON.stringify(input)}`)
          return isStarted
        },
        'fileDrag.cancel': () => {
          calls.push('cancel')
          return null
        },
      },
    })
    const toasts = new ToastManager()
    const manager = new AttachmentsManager(createBackend(transport), toasts)
    const element = document.body.appendChild(document.createElement('div'))
    const event = new Event('dragstart', { cancelable: true }) as DragEvent
    Object.defineProperty(event, 'currentTarget', { value: element })
    const done = manager.drag(event, OF, dragged)
    const release = (target: Element) => target.dispatchEvent(new Event('pointerup', { bubbles: true }))
    const finish = async (risk: OpenedAttachment['risk'] = null) => {
      downloaded.resolve({ bytes: 5, pieces: 1, version: 'v', look: null, risk })
      await done
      return { calls, said: toasts.shown?.text }
    }
    return { manager, event, element, release, finish, fail: downloaded.reject, calls, toasts, done }
  }

  it('replaces the page’s drag, and starts once the attachment is downloaded', async () => {
    const { event, release, finish, calls } = drag(attachment)
    expect(event.defaultPrevented).toBe(true)
    expect(calls).toEqual([])
    const started = `start ${JSON.stringify({ of: OF, attachmentId: 'a1' })}`
    expect(await finish()).toEqual({ calls: [started], said: undefined })
    // The next click has nothing to cancel.
    release(document.body)
    expect(calls).toEqual([started])
  })

  it('takes the whole message if there is no attachment', async () => {
    const { finish } = drag(null)
    expect((await finish()).calls).toEqual([`start ${JSON.stringify({ of: OF, attachmentId: null })}`])
  })

  it('does not start after the pointer is released, and asks for another drag', async () => {
    const { release, finish } = drag(attachment)
    release(document.body)
    expect(await finish()).toEqual({ calls: ['cancel'], said: '“plan.pdf” is downloaded now. Drag it again.' })
    const late = drag(null, false)
    late.release(document.body)
    expect((await late.finish()).said).toBe('The message is downloaded now. Drag it again.')
  })

  it('leaves a click with a slight move alone, even on a dangerous file', async () => {
    for (const risk of [null, 'program'] as const) {
      const { manager, element, release, finish } = drag(attachment)
      release(element)
      expect(await finish(risk)).toEqual({ calls: ['cancel'], said: undefined })
      expect(manager.question).toBeNull()
    }
  })

  it('asks whether to save a dangerous file instead', async () => {
    const { manager, finish, calls } = drag(attachment)
    await finish('program')
    expect(calls).toEqual([])
    expect(manager.question?.risky).toEqual([{ attachment, risk: 'program' }])
    await manager.answer(true)
    expect(calls).toEqual(['attachment.save'])
  })

  it('gives the reason if the attachment is gone', async () => {
    const { fail, done, toasts, calls } = drag(attachment)
    fail(new ProblemError({ code: 'not_found', message: 'This e-mail is gone.' }))
    await done
    expect(calls).toEqual([])
    expect(toasts.shown?.text).toBe('This e-mail is gone.')
  })
})
