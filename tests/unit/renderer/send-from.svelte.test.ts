// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import type { DraftContent, DraftFile } from '../../../src/shared/drafts.ts'
import { NOTHING_ELSEWHERE } from '../../../src/renderer/features/writing/open-composer.svelte.ts'
import type { UndoableAction } from '../../../src/renderer/features/threads/thread-actions-manager.svelte.ts'
import { createEmptyContent } from '../../../src/renderer/features/writing/draft-content.ts'
import { WritingManager } from '../../../src/renderer/features/writing/writing-manager.svelte.ts'
import type { Backend } from '../../../src/renderer/kernel/backend.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { SYNCED_DRAFT } from './support/synced-draft.ts'
import { until } from './support/until.ts'

const PAPER = 'a paper that goes along'

const fileOf = (id: string, contentId: string | null = null): DraftFile => ({
  ...{ id, filename: `${id}.txt`, contentType: 'text/plain', size: PAPER.length, digest: 'digest', contentId },
  platformId: null,
})

const ending = endAfterEach()

/** The engines of two accounts. */
const open = async (content: Partial<DraftContent>, gone: readonly string[] = []) => {
  const drafts = new Map<string, { content: DraftContent; revision: number; inboxId: string }>()
  const files = new Map<string, string>()
  const done: string[] = []
  const problems: string[] = []
  const refusing = new Set<string>()
  let made = 0
  const ask = (name: string, input: never): unknown => {
    const {
      draftId,
      inboxId,
      revision,
      content: written,
    } = input as {
      draftId: string
      inboxId: string
      revision: number
      content: DraftContent
    }
    const draft = drafts.get(draftId)
    switch (name) {
      case 'draft.create':
        made += 1
        drafts.set(`draft ${made}`, { content: written, revision: 0, inboxId })
        done.push(`draft ${made} begun in ${inboxId}`)
        return { draftId: `draft ${made}`, revision: 0 }
      case 'draft.open':
        return {
          ...{ id: draftId, kind: 'new', target: null, to: [], subject: '', snippet: '', state: { kind: 'open' } },
          ...SYNCED_DRAFT,
          ...draft,
        }
      case 'draft.elsewhere':
        return NOTHING_ELSEWHERE
      case 'draft.save':
        if (draft?.revision !== revision) throw new Error('Another revision.')
        drafts.set(draftId, { content: written, revision: revision + 1, inboxId })
        done.push(`${draftId} kept in ${inboxId}`)
        return { revision: revision + 1 }
      case 'draft.send':
        done.push(`${draftId} sent`)
        return { state: { kind: 'held', at: 0 } }
      case 'draft.discard':
        drafts.delete(draftId)
        done.push(`${draftId} thrown away`)
        return null
      case 'draft.readFile': {
        const { fileId, place } = input as { fileId: string; place: number }
        if (gone.includes(fileId)) throw new Error('It is not here.')
        return place === 0 ? btoa(PAPER) : null
      }
      case 'draft.addFile': {
        const { filename, base64, isInline } = input as { filename: string; base64: string; isInline: boolean }
        const id = `copy of ${filename}`
        files.set(`${draftId}: ${id}`, atob(base64))
        return { ...fileOf(id, isInline ? `copied-${filename}` : null), filename }
      }
      default:
        return name === 'draft.list' ? [] : null
    }
  }
  const backend = {
    call: (name: string, input: never) => {
      const problem = { code: 'internal', message: `${name} fails.` }
      if (refusing.has(name)) return Promise.resolve({ ok: false, error: problem })
      try {
        return Promise.resolve({ ok: true, data: ask(name, input) })
      } catch (thrown) {
        return Promise.resolve({ ok: false, error: { ...problem, message: String(thrown) } })
      }
    },
    on: () => undefined,
  } as unknown as Backend
  const senders = ['work inbox', 'second work inbox', 'home inbox'].map((id) => ({
    ...{ id, accountId: id === 'home inbox' ? 'home' : 'work', name: null, address: '' },
  }))
  const parts = {
    toasts: { problem: ({ message }: { message: string }) => problems.push(message) },
    actions: { make: async ({ make }: UndoableAction) => (await make()).ok },
    mailboxes: { addresses: [], sender: (id: string) => senders.find((each) => each.id === id) },
    snippets: { loaded: () => Promise.resolve(), signatureOf: (id: string) => `<p>Signed in the ${id}</p>` },
    preferences: { values: { openDrafts: {}, undoSend: '10' } },
  }
  const writing = new WritingManager({ backend, ...parts, account: 'all', ending: ending.signal } as never)
  await writing.start('work inbox', { ...createEmptyContent(), ...content })
  const composing = writing.composers.all[0] ?? expect.unreachable('No composer is open.')
  done.length = 0
  return { writing, composing, drafts, files, done, problems, refusing }
}

describe('From address of another account', () => {
  it('saves the message there with files and signature before discarding it here', async () => {
    const { writing, composing, drafts, files, done, problems } = await open({
      subject: 'Ropes',
      html: '<p>See <img src="cid:pier" alt=""></p>',
      files: [fileOf('plan'), fileOf('pier', 'pier')],
    })
    await writing.sendFrom(composing, 'home inbox')
    expect(problems).toEqual([])
    expect(done).toEqual(['draft 2 begun in home inbox', 'draft 2 kept in home inbox', 'draft 1 thrown away'])
    const kept = drafts.get('draft 2')?.content
    expect(kept?.files.map(({ id, contentId }) => [id, contentId])).toEqual([
      ['copy of plan.txt', null],
      ['copy of pier.txt', 'copied-pier.txt'],
    ])
    expect(kept?.subject).toBe('Ropes')
    expect(kept?.html).toContain('cid:copied-pier.txt')
    expect(kept?.html).toContain('Signed in the home inbox')
    expect(kept?.html).not.toContain('Signed in the work inbox')
    expect([...files.values()]).toEqual([PAPER, PAPER])
    expect(writing.composers.all).toEqual([composing])
    expect([composing.draftId, composing.editing.inboxId, composing.moving]).toEqual(['draft 2', 'home inbox', null])
  })

  it('keeps edits made while files are copied', async () => {
    const { writing, composing, drafts } = await open({ files: [fileOf('plan')] })
    const moved = writing.sendFrom(composing, 'home inbox')
    expect(composing.moving).not.toBeNull()
    composing.editing.set({ subject: 'Written meanwhile' })
    await moved
    expect([...drafts.keys()]).toEqual(['draft 2'])
    expect(drafts.get('draft 2')?.content.subject).toBe('Written meanwhile')
  })

  it('sends from there if the user sends while files are copied', async () => {
    const { writing, composing, drafts, done } = await open({ files: [fileOf('plan')] })
    void writing.sendFrom(composing, 'home inbox')
    composing.editing.set({ subject: 'Written meanwhile' })
    expect(await writing.sending.send(composing, { archive: false, scheduledAt: null })).toBe(true)
    expect(done.at(-1)).toBe('draft 2 sent')
    expect([...drafts.keys()]).toEqual(['draft 2'])
    expect(drafts.get('draft 2')?.content).toMatchObject({ subject: 'Written meanwhile', files: [{}] })
  })

  it('leaves the draft here if it can’t be copied whole or created there', async () => {
    const missing = await open({ subject: 'Ropes', files: [fileOf('plan'), fileOf('theirs')] }, ['theirs'])
    await missing.writing.sendFrom(missing.composing, 'home inbox')
    expect(missing.problems).toEqual(['“theirs.txt” is not on this computer, so it cannot be attached.'])
    expect([...missing.drafts.keys()]).toEqual(['draft 1'])
    expect(missing.composing.editing.inboxId).toBe('work inbox')

    const full = await open({ subject: 'Ropes' })
    full.refusing.add('draft.create')
    await full.writing.sendFrom(full.composing, 'home inbox')
    expect(full.problems).toEqual(['draft.create fails.'])
    expect([...full.drafts.keys()]).toEqual(['draft 1'])
  })

  it('keeps both drafts until the new one can be saved', async () => {
    const { writing, composing, drafts, refusing } = await open({ subject: 'Ropes' })
    refusing.add('draft.save')
    await writing.sendFrom(composing, 'home inbox')
    expect([...drafts.keys()]).toEqual(['draft 1', 'draft 2'])
    expect(composing.problem?.message).toBe('draft.save fails.')
  })

  it('discards the copy if the composer was closed meanwhile', async () => {
    const { writing, composing, drafts } = await open({ subject: 'Ropes', files: [fileOf('plan')] })
    const moved = writing.sendFrom(composing, 'home inbox')
    await writing.close(composing)
    await moved
    await until(() => !drafts.has('draft 2'))
    expect([...drafts.keys()]).toEqual(['draft 1'])
  })

  it('keeps the draft if the inbox is in the same account', async () => {
    const { writing, composing, done } = await open({})
    await writing.sendFrom(composing, 'second work inbox')
    expect([composing.draftId, composing.editing.inboxId]).toEqual(['draft 1', 'second work inbox'])
    await composing.keep()
    expect(done).toEqual(['draft 1 kept in second work inbox'])
  })
})
