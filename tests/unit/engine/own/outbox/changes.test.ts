import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  computeAcceptedRemainder,
  computeRejectedRemainder,
  type ChangeSubject,
  type WaitingChange,
} from '../../../../../src/engine/own/outbox/change.ts'
import type { ChangeDependencies } from '../../../../../src/engine/own/outbox/changes/change-dependencies.ts'
import { contactSubject } from '../../../../../src/engine/own/outbox/changes/contact-fields.ts'
import { labelSubject } from '../../../../../src/engine/own/outbox/changes/label.ts'
import { keepNewestValue } from '../../../../../src/engine/own/outbox/waiting-changes.ts'
import { threadLabelRules } from '../../../../../src/engine/own/outbox/changes/thread-labels.ts'
import type { MailPlatform } from '../../../../../src/engine/platform/mail-platform.ts'
import {
  threadSubject,
  type ThreadChangeBase,
} from '../../../../../src/engine/own/outbox/changes/thread-change-base.ts'
import {
  createThreadStateChangeType,
  threadStateRules,
} from '../../../../../src/engine/own/outbox/changes/thread-state.ts'
import { createChangeTypes } from '../../../../../src/engine/own/outbox/outbox.ts'
import { systemClock } from '../../../../../src/engine/timing/clock.ts'
import { fieldsOf, target, waiting } from './support/test-queue.ts'

const to = (wanted: string) => ({ ...target('folder'), wanted })

describe('a newer change of a field', () => {
  it('replaces the waiting one, so archive then unarchive sends nothing', () => {
    const archived = keepNewestValue(undefined, to('archive'), 'inbox')
    expect(archived).toEqual(waiting('folder', 'archive'))
    expect(keepNewestValue(archived ?? undefined, to('inbox'), 'inbox')).toBeNull()
  })

  it('sends nothing if the platform already has the value', () => {
    expect(keepNewestValue(undefined, { ...target('read'), wanted: 'true' }, 'true')).toBeNull()
  })

  it('sends the reverse if the first one is in flight', () => {
    const back = keepNewestValue(waiting('folder', 'archive', 'archive'), to('inbox'), 'inbox')
    expect(back).toEqual(waiting('folder', 'inbox', 'archive'))
    expect(back === null ? null : computeAcceptedRemainder(back)).toEqual(waiting('folder', 'inbox'))
  })

  it('is sent if the platform’s value is unknown', () => {
    expect(keepNewestValue(undefined, to('inbox'), undefined)).not.toBeNull()
  })

  it('ends at the user’s last value, after any changes and responses', () => {
    const event = fc.oneof(
      fc.constantFrom('inbox', 'archive', 'trash').map((wanted) => ({ kind: 'change' as const, wanted })),
      fc.constantFrom({ kind: 'send' as const }, { kind: 'answer' as const }),
    )
    fc.assert(
      fc.property(fc.array(event, { maxLength: 20 }), (events) => {
        let server = 'inbox'
        let wanted = 'inbox'
        let current: WaitingChange | null = null
        const send = (): void => {
          if (current?.sending === null) current = { ...current, sending: current.wanted }
        }
        const answer = (): void => {
          if (typeof current?.sending !== 'string') return
          server = current.sending
          current = computeAcceptedRemainder(current)
        }
        for (const step of events) {
          if (step.kind === 'send') send()
          else if (step.kind === 'answer') answer()
          else {
            wanted = step.wanted
            current = keepNewestValue(current ?? undefined, to(wanted), server)
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

describe('a change type', () => {
  const types = createChangeTypes({ cache: {} } as ChangeDependencies, systemClock)
  const ownersOf = (subject: ChangeSubject, field: string): number =>
    types.filter(({ owns }) => owns({ ...subject, field })).length

  it.each([
    [threadSubject('inbox', 'a'), ['read', 'folder', 'label:a']],
    [labelSubject('inbox', 'a'), ['label', 'name', 'color']],
    [
      contactSubject('a'),
      ['topic:a', 'contact', 'first_name', 'last_name', 'unsubscribed', 'property:seats', 'segment:a'],
    ],
  ])('alone owns its fields: %j %j', (subject, fields) => {
    expect(fields.map((field) => ownersOf(subject, field))).toEqual(fields.map(() => 1))
    // Only labels are owned as a whole: pending changes to a label's look are merged into its creation.
    if (subject.kind !== 'label') expect(ownersOf(subject, 'another')).toBe(0)
  })
})

describe('a rejection', () => {
  it('drops the change', () => expect(computeRejectedRemainder(waiting('read', 'true', 'true'), 'false')).toBeNull())
  it('keeps what the user has changed since', () =>
    expect(computeRejectedRemainder(waiting('folder', 'trash', 'archive'), 'inbox')).toEqual(
      waiting('folder', 'trash'),
    ))
})

describe('changes in one request', () => {
  const batch = (rules: typeof threadStateRules, changes: readonly WaitingChange[]) => {
    const own = changes.filter(rules.owns)
    return own[0] === undefined ? {} : fieldsOf(rules.batch(own[0], own))
  }

  it('combine the read state with the folder, and added labels with each other', () => {
    const changes = [
      waiting('read', 'true'),
      waiting('label:a', 'true'),
      waiting('folder', 'trash'),
      waiting('label:b', 'true'),
    ]
    expect(batch(threadStateRules, changes)).toEqual({ read: 'true', folder: 'trash' })
    expect(batch(threadLabelRules, changes)).toEqual({ 'label:a': 'true', 'label:b': 'true' })
  })

  it('hold one removed label, or at most ten added ones', () => {
    expect(batch(threadLabelRules, [waiting('label:a', 'false'), waiting('label:b', 'false')])).toEqual({
      'label:a': 'false',
    })
    const additions = Array.from({ length: 12 }, (_, index) => waiting(`label:${index}`, 'true'))
    expect(Object.keys(batch(threadLabelRules, additions))).toHaveLength(10)
  })
})

describe('the inverse of a move', () => {
  const made = { ...target('folder'), before: 'sent', after: 'archive' }
  it('returns to sent if the platform never heard of it, else to the inbox', () => {
    expect(threadStateRules.inverse(made, 'sent', false)).toBe('sent')
    expect(threadStateRules.inverse(made, 'archive', false)).toBe('inbox')
    expect(threadStateRules.inverse(made, 'sent', true)).toBe('inbox')
  })

  it('returns to sent for a local thread, and to the inbox once the platform has it again', async () => {
    const asked: unknown[] = []
    let existsOnlyLocally = true
    const platform = {
      updateThread: (_inbox: string, _thread: string, change: unknown) => {
        asked.push(change)
        return Promise.resolve({})
      },
    } as unknown as MailPlatform
    const thread = {
      existsOnlyLocally: () => existsOnlyLocally,
      deliverHere: () => null,
      store: () => ({ store: () => undefined }),
    } as unknown as ThreadChangeBase
    const type = createThreadStateChangeType({ platform }, thread)
    expect(type.inverse(made, 'archive', false)).toBe('sent')
    await type.deliver(made, [waiting('folder', 'sent')], new AbortController().signal)
    expect(asked).toEqual([{ folder: 'inbox' }])
    existsOnlyLocally = false
    expect(type.inverse(made, 'archive', false)).toBe('inbox')
  })
})
