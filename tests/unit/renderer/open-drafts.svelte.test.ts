// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { OpenDraft } from '../../../src/shared/preferences.ts'
import { ProblemError } from '../../../src/shared/result.ts'
import type { Draft, DraftState } from '../../../src/shared/drafts.ts'
import { createEmptyContent } from '../../../src/renderer/features/writing/draft-content.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { INBOX } from './support/fixture-mail.ts'
import { inbox, openWindow } from './support/open-window.ts'
import { SYNCED_DRAFT } from './support/synced-draft.ts'
import { until } from './support/until.ts'

const draftOf = (id: string, state: DraftState = { kind: 'open' }): Draft => ({
  ...{ id, inboxId: INBOX.id, kind: 'new', target: null, to: [], subject: id, snippet: '', state },
  ...SYNCED_DRAFT,
  revision: 1,
  original: null,
  content: { ...createEmptyContent(), subject: id },
})

const kept = (draftId: string, isMinimised = false): OpenDraft => ({ draftId, isApart: true, isMinimised })

afterEach(() => vi.restoreAllMocks())
const ending = endAfterEach()

/** Opens a window that was closed with `before`, on an engine with `drafts`. */
const open = async (before: readonly OpenDraft[], drafts: readonly Draft[]) => {
  const window = await openWindow(inbox(null), ending.signal, {
    'draft.list': () => drafts,
    'draft.open': ({ draftId }) => {
      const draft = drafts.find(({ id }) => id === draftId)
      if (draft === undefined) throw new ProblemError({ code: 'not_found', message: 'It is gone.' })
      return draft
    },
  })
  const { shell, session } = window
  await shell.preferences.choose({ openDrafts: { all: before, other: [kept('of another account')] } })
  const stop = $effect.root(() => {
    $effect(() => session.writing.composers.saveOpen())
  })
  ending.signal.addEventListener('abort', stop)
  const isOpen = () => session.writing.composers.all.map(({ draftId, isMinimised }) => [draftId, isMinimised])
  const isKept = () => shell.preferences.values.openDrafts
  return { ...window, isOpen, isKept }
}

describe('minimised draft', () => {
  it('appears in the draft list before its composer closes, even if the list reloads', async () => {
    const draft = draftOf('a')
    const lists: ((drafts: readonly Draft[]) => void)[] = []
    const { session, emit } = await openWindow(inbox(null), ending.signal, {
      'draft.list': () => new Promise<readonly Draft[]>((resolve) => lists.push(resolve)),
      'draft.open': () => draft,
    })
    const { composers } = session.writing
    await session.writing.resume('a')
    const [composing] = composers.all
    if (composing === undefined) throw new Error('The draft is not open.')
    const before = lists.length
    const closing = session.writing.close(composing)
    await until(() => lists.length === before + 1)
    emit({ name: 'drafts.changed', payload: { inboxIds: [INBOX.id] } })
    await until(() => lists.length === before + 2)
    lists[before]?.([])
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(composers.all).toEqual([composing])
    lists[before + 1]?.([draft])
    await closing
    expect(composers.all).toEqual([])
    expect(session.writing.drafts?.map(({ id }) => id)).toEqual(['a'])
  })
})

describe('composers open at the last close', () => {
  it('reopen unless sent, being sent or gone, and the open ones are remembered', async () => {
    const waiting: DraftState = { kind: 'sending', mayHaveLeft: false }
    const { session, isOpen, isKept } = await open(
      [kept('a'), kept('sent'), kept('gone'), kept('b', true)],
      [draftOf('a'), draftOf('sent', waiting), draftOf('b'), draftOf('never opened')],
    )
    await session.writing.load()
    await until(() => isOpen().length === 2)
    expect(isOpen()).toEqual([
      ['a', false],
      ['b', true],
    ])
    await until(() => isKept().all?.length === 2)
    await session.writing.resume('never opened')
    await until(() => isKept().all?.length === 3)
    expect(isKept()).toEqual({
      all: [kept('a'), kept('b', true), kept('never opened')],
      other: [kept('of another account')],
    })
  })

  it('reopen even if a draft changed during loading', async () => {
    const { session, emit, isOpen } = await open([kept('a')], [draftOf('a')])
    const loading = session.writing.load()
    emit({ name: 'drafts.changed', payload: { inboxIds: [INBOX.id] } })
    await loading
    await until(() => isOpen().length === 1)
  })

  it('are neither opened nor forgotten by a second window', async () => {
    let takeOver = (): void => undefined
    vi.spyOn(navigator.locks, 'request').mockImplementation(
      ((_name: string, _options: object, hold: () => unknown) =>
        new Promise<void>((resolve) => {
          takeOver = () => {
            void hold()
            resolve()
          }
        })) as typeof navigator.locks.request,
    )
    const asked = vi.spyOn(performance, 'now').mockReturnValue(0)
    const { session, isOpen, isKept } = await open([kept('a')], [draftOf('a'), draftOf('b')])
    await session.writing.load()
    await session.writing.resume('b')
    expect(isOpen()).toEqual([['b', false]])
    expect(isKept().all).toEqual([kept('a')])
    // The first window closes.
    asked.mockReturnValue(60_000)
    takeOver()
    await until(() => isKept().all?.[0]?.draftId === 'b')
    expect(isOpen()).toEqual([['b', false]])
  })
})
