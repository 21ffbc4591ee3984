import { describe, expect, it } from 'vitest'
import {
  ConversationFolds,
  chooseFoldedEmails,
  LONG_CONVERSATION,
  selectEmailsToReveal,
  toConversationParts,
} from '../../../src/renderer/features/threads/conversation-folds.svelte.ts'
import type { Email } from '../../../src/shared/model.ts'
import { fixtureEmails, fixtureThreads } from './support/fixture-mail.ts'

const [thread] = fixtureThreads(1)
if (thread === undefined) throw new Error('one thread was asked for')

const conversationOf = (emailCount: number, unread: readonly number[] = []): readonly Email[] =>
  fixtureEmails({ ...thread, emailCount }).map((email, index) => ({ ...email, read: !unread.includes(index) }))

/** `40` is a button for 40 folded e-mails, `12…20` the rows of e-mails 12 to 20. */
const shapeOf = (emails: readonly Email[], folds: ConversationFolds): string => {
  const shape: string[] = []
  let from: number | null = null
  const places = new Map(emails.map(({ id }, index) => [id, index]))
  let last = -1
  const end = (): void => {
    if (from !== null) shape.push(`${from}…${last}`)
    from = null
  }
  for (const part of folds.partsOf(emails)) {
    if (part.kind === 'folded') {
      end()
      shape.push(String(part.emails.length))
    } else {
      last = places.get(part.email.id) ?? -1
      from ??= last
    }
  }
  end()
  return shape.join(' ')
}

describe('long conversation', () => {
  it('opens with its newest e-mails and one button for the rest', () => {
    const emails = conversationOf(500)
    const folds = new ConversationFolds(emails, null)
    expect(shapeOf(emails, folds)).toBe('490 490…499')
  })

  it('shows a line per e-mail if short, or if a button would save no space', () => {
    const short = conversationOf(LONG_CONVERSATION.emails)
    expect(shapeOf(short, new ConversationFolds(short, null))).toBe(`0…${LONG_CONVERSATION.emails - 1}`)
    const emails = conversationOf(100, [2])
    expect(shapeOf(emails, new ConversationFolds(emails, null))).toBe('0…16 73 90…99')
  })

  it('shows the first unread or found e-mail with those after it', () => {
    const emails = conversationOf(500, [200])
    expect(shapeOf(emails, new ConversationFolds(emails, null))).toBe('200 200…214 275 490…499')
    const found = new ConversationFolds(emails, emails[300]?.id ?? null)
    expect(shapeOf(emails, found)).toBe('200 200…200 99 300…314 175 490…499')
    expect(found.isExpanded(emails[300]?.id ?? '')).toBe(true)
  })

  it('draws a bounded number of e-mails, however many are unread', () => {
    for (const count of [100, 1000, 10_000]) {
      const emails = conversationOf(
        count,
        Array.from({ length: count }, (_, index) => index),
      )
      const folds = new ConversationFolds(emails, null)
      expect(folds.partsOf(emails).length).toBeLessThanOrEqual(
        LONG_CONVERSATION.fromStart + LONG_CONVERSATION.newest + 12,
      )
    }
  })

  it('unfolds in steps from either end, without losing any', () => {
    const emails = conversationOf(500)
    const folds = new ConversationFolds(emails, null)
    const run = () => {
      const folded = folds.partsOf(emails).find((part) => part.kind === 'folded')
      return folded?.kind === 'folded' ? folded.emails : []
    }
    folds.unfold(run(), -1)
    expect(shapeOf(emails, folds)).toBe('450 450…499')
    folds.unfold(run(), 1)
    expect(shapeOf(emails, folds)).toBe('0…39 410 450…499')
    for (let steps = 0; run().length > 0; steps += 1) {
      if (steps > 20) throw new Error('The steps do not end.')
      folds.unfold(run(), -1)
    }
    expect(shapeOf(emails, folds)).toBe('0…499')
  })

  it('leaves no remainder too small for a button', () => {
    const emails = conversationOf(LONG_CONVERSATION.step + 2)
    expect(selectEmailsToReveal(emails, -1)).toHaveLength(LONG_CONVERSATION.step + 2)
    expect(selectEmailsToReveal(conversationOf(500), 1)).toHaveLength(LONG_CONVERSATION.step)
  })

  it('shows new e-mails, and ones expanded from a folded run', () => {
    const emails = conversationOf(101)
    const before = emails.slice(0, 100)
    const folds = new ConversationFolds(before, null)
    expect(shapeOf(emails, folds)).toBe('90 90…100')
    folds.expand(emails[50]?.id ?? '', true)
    expect(shapeOf(emails, folds)).toBe('50 50…50 39 90…100')
    expect(folds.isExpanded(emails[50]?.id ?? '')).toBe(true)
    folds.expand(emails[50]?.id ?? '', false)
    expect(shapeOf(emails, folds)).toBe('50 50…50 39 90…100')
  })

  it('keeps every e-mail in its parts, whatever is folded', () => {
    const emails = conversationOf(60)
    const folded = chooseFoldedEmails(emails, 30, new Set())
    const back = toConversationParts(emails, folded).flatMap((part) =>
      part.kind === 'email' ? [part.email] : part.emails,
    )
    expect(back).toEqual(emails)
  })
})
