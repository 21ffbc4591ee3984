// @vitest-environment jsdom
import { flushSync, type Component } from 'svelte'
import { afterEach, describe, expect, it } from 'vitest'
import ProposalBar from '../../../src/renderer/features/assistants/ProposalBar.svelte'
import Review from '../../../src/renderer/features/assistants/ReviewDialog.svelte'
import { PROPOSAL_LIMITS, type Proposal, type ProposedChange } from '../../../src/shared/assistants.ts'
import type { Draft, DraftContent } from '../../../src/shared/drafts.ts'
import { renderScreen } from './support/draw-screen.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { INBOX } from './support/fixture-mail.ts'
import { failing, type FixtureHandlers } from './support/fixture-transport.ts'
import { inbox, openWindow } from './support/open-window.ts'
import { SYNCED_DRAFT } from './support/synced-draft.ts'
import { until } from './support/until.ts'

afterEach(() => document.body.replaceChildren())
const ending = endAfterEach()

const proposalOf = (id: string, change: ProposedChange, more: Partial<Proposal> = {}): Proposal => ({
  ...{ id, at: Date.now(), client: 'Helper', inboxId: INBOX.id, reason: `Because of ${id}.`, change, state: 'open' },
  ...more,
})
const MOVE: ProposedChange = { kind: 'move', threadIds: ['thread-0', 'thread-1'], folder: 'archive' }
const LABELS: ProposedChange = { kind: 'labels', threadIds: ['thread-1'], add: ['label-1'], remove: ['label-2'] }
const DRAFT: ProposedChange = {
  ...{ kind: 'draft', target: null, isToAll: false, to: ['Ada Quill <ada@quill.example>', 'nobody'] },
  ...{ subject: 'Ropes\nBcc: spy@x.example', text: '<b>Two</b> are left.\nSee you.' },
}
const ANSWER: ProposedChange = {
  ...{ kind: 'draft', isToAll: false, to: ['spy@x.example'], subject: '', text: 'Gladly.' },
  target: { threadId: 'thread-1', emailId: 'thread-1-email-0' },
}

/** A tag character, a zero-width space and a right-to-left override. */
const UNSEEN = String.fromCodePoint(0xe0041, 0x200b, 0x202e)

/** Proposals that can be decided only once each, as in the account's file. */
const proposalsOf = (...all: readonly Proposal[]) => {
  let waiting = all
  const decided: string[] = []
  const drafts = new Map<string, Draft>()
  const handlers: FixtureHandlers = {
    'assistant.proposals': () => waiting,
    'assistant.decide': ({ id, decision }) => {
      const wasOpen = waiting.some((proposal) => proposal.id === id)
      waiting = waiting.filter((proposal) => proposal.id !== id)
      if (wasOpen) decided.push(`${id} ${decision}`)
      return { wasOpen }
    },
    'assistant.reopen': ({ ids }) => {
      waiting = [...waiting, ...all.filter(({ id }) => ids.includes(id))]
      return null
    },
    'draft.create': ({ inboxId, kind, target, content }) => {
      const id = `draft-${drafts.size}`
      drafts.set(id, {
        ...{ id, inboxId, kind, target, content, to: content.to, subject: content.subject, snippet: '' },
        ...{ ...SYNCED_DRAFT, state: { kind: 'open' }, original: null, revision: 0, theirs: null, remindAt: null },
      })
      return { draftId: id, revision: 0 }
    },
    'draft.save': ({ draftId, revision }) => {
      const draft = drafts.get(draftId)
      if (draft !== undefined) drafts.set(draftId, { ...draft, revision: revision + 1 })
      return { revision: revision + 1 }
    },
    'draft.open': ({ draftId }) => drafts.get(draftId) ?? Promise.reject(new Error('There is no such draft.')),
  }
  return {
    ...{ handlers, decided, waiting: () => waiting },
    decideElsewhere: (id: string) => (waiting = waiting.filter((proposal) => proposal.id !== id)),
  }
}

const drawReview = async (handlers: FixtureHandlers) => {
  const opened = await openWindow(inbox(null), ending.signal, handlers)
  const { session, emit } = opened
  await session.assistants.load()
  const View: Component = (anchor) => Review(anchor, {})
  const drawn = await renderScreen(opened, View, ending.signal)
  session.assistants.review()
  const items = (): readonly HTMLElement[] => {
    flushSync()
    return [...document.querySelectorAll<HTMLElement>('[role="dialog"] article')]
  }
  await until(() => items().length > 0)
  const button = (at: number, name: string): HTMLButtonElement => {
    const found = [...(items()[at]?.querySelectorAll('button') ?? [])].find(
      ({ textContent }) => textContent.trim() === name,
    )
    if (found === undefined) throw new Error(`Proposal ${at} has no button ${name}.`)
    return found
  }
  const textOf = (at: number): string => items()[at]?.textContent.replaceAll(/\s+/g, ' ').trim() ?? ''
  const changed = () => opened.called('thread.change') as readonly { readonly threadIds: readonly string[] }[]
  const tell = (): void => emit({ name: 'assistants.changed', payload: null })
  return { ...opened, ...drawn, items, button, textOf, changed, tell }
}

describe('proposal bar', () => {
  it('counts proposals by kind and hides when none are waiting', async () => {
    const file = proposalsOf(
      proposalOf('a', LABELS),
      proposalOf('b', LABELS),
      proposalOf('c', MOVE),
      proposalOf('d', DRAFT),
    )
    const opened = await openWindow(inbox(null), ending.signal, file.handlers)
    const View: Component = (anchor) => ProposalBar(anchor, {})
    const { target, settle } = await renderScreen(opened, View, ending.signal)
    expect(target.querySelector('section')).toBeNull()
    opened.emit({ name: 'assistants.changed', payload: null })
    await until(() => target.querySelector('section') !== null)
    expect(target.textContent).toContain('Assistant proposals: 2 labels, 1 move, 1 draft')
    target.querySelector('button')?.click()
    expect(opened.session.assistants.isReviewing).toBe(true)
    for (const { id } of file.waiting()) file.decideElsewhere(id)
    opened.emit({ name: 'assistants.changed', payload: null })
    await until(() => opened.session.assistants.proposals.length === 0)
    await settle()
    expect(target.querySelector('section')).toBeNull()
  })

  it('switches to the account from all inboxes, where the command only explains itself', async () => {
    const opened = await openWindow(
      { view: 'folder', inboxId: 'all', folder: 'inbox', threadId: null },
      ending.signal,
      proposalsOf(proposalOf('a', LABELS), proposalOf('b', MOVE)).handlers,
      true,
    )
    await opened.shell.account.load()
    const View: Component = (anchor) => ProposalBar(anchor, {})
    const { target } = await renderScreen(opened, View, ending.signal)
    opened.emit({ name: 'assistants.changed', payload: null })
    await until(() => target.querySelector('section') !== null)
    expect(target.textContent).toContain('Assistant proposals for Demo: 1 label, 1 move')
    target.querySelector('button')?.click()
    expect(opened.shell.account.shownId).toBe('fixture')
    opened.run('assistants.review')
    expect(opened.session.assistants.isReviewing).toBe(false)
    expect(opened.shell.toasts.shown?.text).toContain('a single account')
  })
})

describe('proposal review', () => {
  it('shows who proposes what and why, in plain text', async () => {
    const many = Array.from({ length: 17 }, (_none, at) => `thread-${at}`)
    const file = proposalsOf(
      proposalOf('a', { ...LABELS, threadIds: many }, { client: '<i>Helper</i>', reason: '<img src=x>\nclick' }),
      proposalOf('b', { ...MOVE, threadIds: ['thread-2', 'gone'] }),
      proposalOf('c', DRAFT),
      proposalOf('d', ANSWER),
    )
    const { textOf, items } = await drawReview(file.handlers)
    await until(() => textOf(0).includes('and 12 more') && textOf(3).includes('Re: Your receipt'))
    expect(textOf(0)).toMatch(/^Change labels on 17 threads <i>Helper<\/i> · just now Add Billing ?Remove Urgent/)
    expect(items()[0]?.querySelectorAll('li:not(.gone)')).toHaveLength(5)
    expect(textOf(0)).toContain('The webcam shows a black picture Ada Quill')
    expect(textOf(0)).toContain('The assistant’s reason <img src=x> click')
    await until(() => textOf(1).includes('no longer'))
    expect(textOf(1)).toContain('Archive 2 threads')
    expect(textOf(1)).toContain('Lunch on Thursday')
    expect(textOf(1)).toContain('1 thread no longer exists')
    expect(textOf(2)).toContain('To Ada Quill <ada@quill.example> nobody· not an address')
    expect(textOf(2)).toContain('Subject Ropes Bcc: spy@x.example <b>Two</b> are left. See you.')
    // The message being answered decides the recipients.
    expect(textOf(3)).not.toContain('spy@x.example')
    expect(document.querySelector('[role="dialog"] :is(b, i, img, a)')).toBeNull()
  })

  it('moves threads once for a double click, and offers undo', async () => {
    const file = proposalsOf(proposalOf('a', MOVE), proposalOf('b', LABELS))
    const { button, changed, session, items, shell } = await drawReview(file.handlers)
    await until(() => session.threads.rows?.at(0)?.id === 'thread-0')
    const accept = button(0, 'Accept')
    for (const detail of [1, 2]) accept.dispatchEvent(new MouseEvent('click', { bubbles: true, detail }))
    await until(() => items().length === 1)
    expect(file.decided).toEqual(['a done'])
    expect(changed().map(({ threadIds }) => threadIds)).toEqual([['thread-0', 'thread-1']])
    expect(session.threads.thread('thread-0')).toBeUndefined()
    expect(shell.toasts.shown).toMatchObject({ text: 'Archived 2 threads', action: { name: 'Undo' } })
    // Focus moves to the next item, not its button, so a repeated key does nothing.
    await until(() => document.activeElement === items()[0])
    // The second click of a double click lands on the item that moved up.
    button(0, 'Accept').dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }))
    session.actions.undo()
    await until(() => session.threads.thread('thread-0')?.folder === 'inbox')
    expect(file.decided).toEqual(['a done'])
  })

  it('focuses the next proposal even if the list reloads meanwhile', async () => {
    const file = proposalsOf(proposalOf('a', MOVE), proposalOf('b', LABELS))
    let looks = 0
    const slow = Promise.withResolvers<null>()
    const { button, items, tell } = await drawReview({
      ...file.handlers,
      'assistant.proposals': async () => {
        looks += 1
        const look = looks
        const waiting = file.waiting()
        // A slower load, caused by the event, overtakes the load after the decision.
        if (look === 2) {
          tell()
          await until(() => looks === 3)
          setTimeout(() => slow.resolve(null), 50)
        }
        if (look === 3) await slow.promise
        return waiting
      },
    })
    button(0, 'Accept').click()
    await until(() => items().length === 1)
    await until(() => document.activeElement === items()[0])
  })

  it('labels the threads that still exist and reports what is gone', async () => {
    const file = proposalsOf(
      proposalOf('a', { kind: 'labels', threadIds: ['thread-1', 'gone'], add: ['label-1', 'lost'], remove: [] }),
    )
    const { button, called, session, shell } = await drawReview(file.handlers)
    button(0, 'Accept').click()
    await until(() => file.decided.length === 1 && !session.assistants.isReviewing)
    expect(called('thread.change')).toMatchObject([
      { threadIds: ['thread-1'], change: { addLabels: ['label-1'], removeLabels: [] } },
    ])
    await until(() => shell.toasts.shown?.text.includes('no longer') === true)
    expect(shell.toasts.shown?.text).toBe(
      'Label “Billing” added to “Your receipt for October”. 1 thread and 1 label no longer exist.',
    )
  })

  it('ignores duplicate IDs in a proposal', async () => {
    const file = proposalsOf(
      proposalOf('a', { kind: 'move', threadIds: ['thread-1', 'thread-1'], folder: 'archive' }),
      proposalOf('b', {
        ...{ kind: 'labels', threadIds: ['thread-2', 'thread-2'] },
        ...{ add: ['label-1', 'label-1'], remove: ['label-1', 'label-2', 'label-2'] },
      }),
    )
    const { button, called, textOf, items } = await drawReview(file.handlers)
    await until(() => textOf(1).includes('Lunch on Thursday'))
    expect([textOf(0), textOf(1)]).toEqual([
      expect.stringContaining('Archive 1 thread Helper'),
      expect.stringContaining('Change labels on 1 thread Helper'),
    ])
    for (const left of [1, 0]) {
      button(0, 'Accept').click()
      await until(() => items().length === left)
    }
    expect(called('thread.change')).toMatchObject([
      { threadIds: ['thread-1'] },
      { threadIds: ['thread-2'], change: { addLabels: ['label-1'], removeLabels: ['label-2'] } },
    ])
  })

  it('dismisses proposals with nothing left to do and says so', async () => {
    const file = proposalsOf(
      proposalOf('a', { ...MOVE, threadIds: ['gone'] }),
      proposalOf('b', { ...LABELS, add: ['lost'], remove: [] }),
      // The thread is already in the inbox.
      proposalOf('c', { kind: 'move', threadIds: ['thread-0'], folder: 'inbox' }),
    )
    const { button, changed, shell, items } = await drawReview(file.handlers)
    for (const left of [2, 1, 0]) {
      button(0, 'Accept').click()
      await until(() => items().length === left)
      expect(shell.toasts.shown?.text).toBe('Nothing left to do. The proposal was dismissed.')
    }
    expect(file.decided).toEqual(['a dismissed', 'b dismissed', 'c dismissed'])
    expect(changed()).toEqual([])
  })

  it('skips a proposal that another window has already decided', async () => {
    const file = proposalsOf(proposalOf('a', MOVE))
    const { button, changed, shell } = await drawReview(file.handlers)
    file.decideElsewhere('a')
    button(0, 'Accept').click()
    await until(() => shell.toasts.shown?.text.includes('another window') === true)
    expect(changed()).toEqual([])
  })

  it('keeps a proposal waiting when its change is rejected', async () => {
    const file = proposalsOf(proposalOf('a', MOVE))
    const { button, shell, items } = await drawReview({
      ...file.handlers,
      'thread.change': failing({ code: 'refused', message: 'The pier is closed.' }),
    })
    button(0, 'Accept').click()
    await until(() => shell.toasts.shown?.text === 'The pier is closed.' && file.waiting().length === 1)
    await until(() => items()[0]?.querySelector('[aria-busy]') === null)
    expect(items()).toHaveLength(1)
  })

  it('dismisses one or all proposals, and offers undo', async () => {
    const file = proposalsOf(proposalOf('a', MOVE), proposalOf('b', LABELS), proposalOf('c', DRAFT))
    const { button, session, shell, items } = await drawReview(file.handlers)
    button(1, 'Dismiss').click()
    await until(() => items().length === 2)
    expect(file.decided).toEqual(['b dismissed'])
    const all = [...document.querySelectorAll('button')].find(({ textContent }) => textContent.includes('Dismiss all'))
    all?.click()
    await until(() => !session.assistants.isReviewing)
    expect(shell.toasts.shown?.text).toBe('Dismissed 2 proposals')
    session.actions.undo()
    await until(() => file.waiting().length === 2)
    expect(file.waiting().map(({ id }) => id)).toEqual(['a', 'c'])
  })

  it('follows decisions made in other windows', async () => {
    const file = proposalsOf(proposalOf('a', MOVE))
    const { tell, items } = await drawReview(file.handlers)
    file.decideElsewhere('a')
    tell()
    await until(() => items().length === 0)
    expect(document.querySelector('[role="dialog"]')?.textContent).toContain('Nothing left to review.')
  })
})

describe('proposed message', () => {
  const contentOf = (input: unknown): DraftContent => (input as { readonly content: DraftContent }).content

  it('opens once in the composer as shown, without being sent', async () => {
    const file = proposalsOf(proposalOf('a', DRAFT))
    const { button, session, called } = await drawReview(file.handlers)
    const write = button(0, 'Write…')
    write.click()
    write.click()
    await until(() => session.writing.composers.all.length === 1 && !session.assistants.isReviewing)
    expect(file.decided).toEqual(['a done'])
    const [made, ...others] = called('draft.create')
    expect(others).toEqual([])
    expect(made).toMatchObject({ inboxId: INBOX.id, kind: 'new', target: null })
    expect(contentOf(made)).toMatchObject({
      ...{
        to: [
          { name: 'Ada Quill', address: 'ada@quill.example' },
          { name: null, address: 'nobody' },
        ],
      },
      ...{ cc: [], bcc: [], subject: 'Ropes Bcc: spy@x.example', text: '<b>Two</b> are left.\nSee you.' },
    })
    expect(contentOf(made).html).toContain('&lt;b&gt;Two&lt;/b&gt; are left.')
    expect(called('draft.send')).toEqual([])
    // Closing the message untouched must still keep the draft.
    const [composing] = session.writing.composers.all
    if (composing !== undefined) await session.writing.close(composing)
    expect(called('draft.discard')).toEqual([])
  })

  it('takes its recipients from the answered message and quotes it', async () => {
    const file = proposalsOf(proposalOf('a', ANSWER))
    const { button, session, called } = await drawReview(file.handlers)
    button(0, 'Write…').click()
    await until(() => session.writing.composers.all.length === 1)
    const [made] = called('draft.create')
    expect(made).toMatchObject({ kind: 'reply', target: { threadId: 'thread-1', emailId: 'thread-1-email-0' } })
    const { to, subject, quote, text } = contentOf(made)
    expect(to.map(({ address }) => address)).not.toContain('spy@x.example')
    expect([subject, text]).toEqual(['Re: Your receipt for October', 'Gladly.'])
    expect(quote).not.toBeNull()
  })

  it('uses the subject that the assistant gave a reply', async () => {
    const file = proposalsOf(proposalOf('a', { ...ANSWER, subject: 'The receipt\nof May' }))
    const { button, session, called, textOf } = await drawReview(file.handlers)
    await until(() => textOf(0).includes('Subject The receipt of May'))
    button(0, 'Write…').click()
    await until(() => session.writing.composers.all.length === 1)
    expect(contentOf(called('draft.create')[0]).subject).toBe('The receipt of May')
  })

  it('drops invisible characters', async () => {
    const file = proposalsOf(proposalOf('a', { ...DRAFT, text: `Yes${UNSEEN}, ${UNSEEN}gladly.` }))
    const { button, session, called, textOf } = await drawReview(file.handlers)
    expect(textOf(0)).toContain('Yes, gladly.')
    button(0, 'Write…').click()
    await until(() => session.writing.composers.all.length === 1)
    expect(contentOf(called('draft.create')[0]).text).toBe('Yes, gladly.')
  })

  it('keeps waiting if its target is gone or the draft can’t be created', async () => {
    const gone = { ...ANSWER, target: { threadId: 'thread-1', emailId: 'gone' } }
    const file = proposalsOf(proposalOf('a', gone), proposalOf('b', DRAFT))
    const { button, shell, items, textOf } = await drawReview({
      ...file.handlers,
      'draft.create': failing({ code: 'storage_failed', message: 'The disk is full.' }),
    })
    await until(() => textOf(0).includes('A message that no longer exists'))
    button(0, 'Write…').click()
    await until(() => shell.toasts.shown?.text.includes('no longer exists') === true)
    button(1, 'Write…').click()
    await until(() => shell.toasts.toasts.some(({ text }) => text === 'The disk is full.'))
    await until(() => file.waiting().length === 2)
    expect(items()).toHaveLength(2)
  })

  it('accepts the maximum size', async () => {
    const text = 'x'.repeat(PROPOSAL_LIMITS.text)
    const to = Array.from({ length: PROPOSAL_LIMITS.people }, (_none, at) => `p${at}@example.com`)
    const file = proposalsOf(proposalOf('a', { ...DRAFT, to, text }))
    const { button, session, called } = await drawReview(file.handlers)
    button(0, 'Write…').click()
    await until(() => session.writing.composers.all.length === 1)
    expect(contentOf(called('draft.create')[0]).to).toHaveLength(PROPOSAL_LIMITS.people)
    expect(contentOf(called('draft.create')[0]).text).toHaveLength(PROPOSAL_LIMITS.text)
  })
})
