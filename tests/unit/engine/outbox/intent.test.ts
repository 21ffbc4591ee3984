import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  confirm,
  fold,
  nextDelivery,
  refuse,
  undoOf,
  type Field,
  type Intent,
} from '../../../../src/engine/outbox/intent.ts'

const lane = { kind: 'thread', scope: 'inbox-1', id: 't1' } as const
const intent = (field: Field, wanted: string, sending: string | null = null): Intent => ({
  ...lane,
  field,
  wanted,
  sending,
})

describe('folding wishes together', () => {
  it('sends nothing for archive, then un-archive', () => {
    const archived = fold(undefined, { ...lane, field: 'folder', wanted: 'archive' }, 'inbox')
    expect(archived).toEqual(intent('folder', 'archive'))
    expect(fold(archived ?? undefined, { ...lane, field: 'folder', wanted: 'inbox' }, 'inbox')).toBeNull()
  })

  it('sends nothing for what the platform already has', () => {
    expect(fold(undefined, { ...lane, field: 'read', wanted: 'true' }, 'true')).toBeNull()
  })

  it('sends the way back where the first wish is already on its way', () => {
    const sending = intent('folder', 'archive', 'archive')
    const back = fold(sending, { ...lane, field: 'folder', wanted: 'inbox' }, 'inbox')
    expect(back).toEqual(intent('folder', 'inbox', 'archive'))
    expect(back === null ? null : confirm(back)).toEqual(intent('folder', 'inbox'))
  })

  it('sends what cannot be compared, where the platform’s value is not known', () => {
    expect(fold(undefined, { ...lane, field: 'folder', wanted: 'inbox' }, undefined)).not.toBeNull()
  })

  it('ends where the person ended, after any series of wishes with answers in between', () => {
    const event = fc.oneof(
      fc.constantFrom('inbox', 'archive', 'trash').map((wanted) => ({ kind: 'wish' as const, wanted })),
      fc.constantFrom({ kind: 'send' as const }, { kind: 'answer' as const }),
    )
    fc.assert(
      fc.property(fc.array(event, { maxLength: 20 }), (events) => {
        let server = 'inbox'
        let wanted = 'inbox'
        let current: Intent | null = null
        const send = (): void => {
          if (current?.sending === null) current = { ...current, sending: current.wanted }
        }
        const answer = (): void => {
          if (typeof current?.sending !== 'string') return
          server = current.sending
          current = confirm(current)
        }
        for (const step of events) {
          if (step.kind === 'send') send()
          else if (step.kind === 'answer') answer()
          else {
            wanted = step.wanted
            current = fold(current ?? undefined, { ...lane, field: 'folder', wanted }, server)
          }
        }
        for (let round = 0; round < 3; round += 1) {
          send()
          answer()
        }
        expect([server, current]).toEqual([wanted, null])
      }),
    )
  })
})

describe('a refusal', () => {
  it('leaves nothing of the wish', () => expect(refuse(intent('read', 'true', 'true'), 'false')).toBeNull())
  it('leaves what the person has wished since', () =>
    expect(refuse(intent('folder', 'trash', 'archive'), 'inbox')).toEqual(intent('folder', 'trash')))
})

describe('the next delivery', () => {
  it('takes the read state and the folder together, and labels that are added together', () => {
    const intents = [
      intent('read', 'true'),
      intent('label:a', 'true'),
      intent('folder', 'trash'),
      intent('label:b', 'true'),
    ]
    expect(nextDelivery(intents)?.delivery).toEqual({ kind: 'thread', change: { read: true, folder: 'trash' } })
    expect(nextDelivery(intents.filter(({ field }) => field.startsWith('label:')))?.delivery).toEqual({
      kind: 'addLabels',
      labelIds: ['a', 'b'],
    })
  })

  it('takes off one label at a time and adds at most ten', () => {
    const removals = [intent('label:a', 'false'), intent('label:b', 'false')]
    expect(nextDelivery(removals)?.delivery).toEqual({ kind: 'removeLabel', labelId: 'a' })
    const additions = Array.from({ length: 12 }, (_, index) => intent(`label:${index}`, 'true'))
    expect(nextDelivery(additions)?.covers).toHaveLength(10)
  })

  it('is none where nothing is left', () => expect(nextDelivery([])).toBeNull())
})

describe('undoing', () => {
  const step = { ...lane, field: 'folder', before: 'sent', after: 'archive' } as const
  it('goes back to sent where the platform never heard of it, else to the inbox, as sent cannot be chosen', () => {
    expect(undoOf(step, 'sent', false)).toBe('sent')
    expect(undoOf(step, 'archive', false)).toBe('inbox')
    expect(undoOf(step, 'sent', true)).toBe('inbox')
  })
})
