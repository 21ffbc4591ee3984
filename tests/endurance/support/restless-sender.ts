/**
 * Process to be killed: an engine, and a user who starts, edits, discards, sends, schedules and unsends drafts with
 * attachments. Each action is printed before it is requested and after the engine has accepted it. A unique word in the
 * subject identifies a message.
 */
import type { CommandInput, CommandOutput, EngineCommand } from '../../../src/shared/contract.ts'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import type { DraftContent, DraftFile, DraftTarget } from '../../../src/shared/drafts.ts'
import { lifeArguments, openKillableEngine, random, print } from './killable-engine.ts'

const [inboxId = ''] = lifeArguments
const { ask } = await openKillableEngine()

const contentOf = (token: string, text: string, files: readonly DraftFile[]): DraftContent => ({
  to: [{ name: 'Ada Ferro', address: 'ada@example.com' }],
  ...{ cc: [], bcc: [], subject: `Berth ${token}`, format: 'rich', html: `<p>${text}</p>`, text, files },
  quote: { html: '<blockquote>Before</blockquote>', text: '> Before' },
})

const target = async (): Promise<DraftTarget | null> => {
  const listed = await ask('thread.list', { query: createFolderQuery(inboxId, 'inbox'), offset: 0, limit: 3 })
  const thread = listed.ok ? random.pick(listed.data.items) : undefined
  if (thread === undefined) return null
  const whole = await ask('thread.open', { inboxId, threadId: thread.id })
  const email = whole.ok ? whole.data.emails[0] : undefined
  return email === undefined ? null : { threadId: thread.id, emailId: email.id }
}

interface Written {
  readonly draftId: string
  readonly token: string
  revision: number
  files: readonly DraftFile[]
}

/** Prints the action before and after it runs. @returns the engine's result, or null if it declined */
const doing = async <Name extends EngineCommand>(
  what: { readonly kind: string; readonly token: string; readonly text?: string },
  name: Name,
  input: CommandInput<Name>,
): Promise<CommandOutput<Name> | null> => {
  print('ask', what)
  const answer = await ask(name, input)
  if (answer.ok) print('taken', what)
  // A changed state isn't a failure: the draft has since been sent, or can no longer be unsent.
  else if (['conflict', 'not_found', 'unreachable', 'platform_failed', 'rate_limited'].includes(answer.error.code)) {
    print(answer.error.code === 'conflict' ? 'declined' : 'unanswered', what)
  } else print('failed', { ...what, ...answer.error })
  return answer.ok ? answer.data : null
}

const write = async (draft: Written): Promise<void> => {
  const text = random.word()
  const what = { kind: 'write', token: draft.token, text }
  const saved = await doing(what, 'draft.save', {
    draftId: draft.draftId,
    revision: draft.revision,
    content: contentOf(draft.token, text, draft.files),
  })
  if (saved !== null) draft.revision = saved.revision
}

for (;;) {
  const token = random.word()
  const text = random.word()
  const answered = random.chance(0.5) ? await target() : null
  const kind = answered === null ? 'new' : (random.pick(['reply', 'replyAll', 'forward'] as const) ?? 'reply')
  const content = contentOf(token, text, [])
  const made = await doing({ kind: 'write', token, text }, 'draft.create', { inboxId, kind, target: answered, content })
  if (made === null) continue
  const draft: Written = { draftId: made.draftId, token, revision: made.revision, files: [] }
  if (random.chance(0.4)) {
    const file = await ask('draft.addFile', {
      ...{
        draftId: draft.draftId,
        upload: token,
        place: 0,
        isLast: true,
        filename: 'quay.png',
        isInline: random.chance(0.3),
      },
      contentType: 'image/png',
      base64: Buffer.alloc(200_000, token).toString('base64'),
    })
    if (file.ok && file.data !== null) draft.files = [file.data]
    await write(draft)
  }
  if (random.chance(0.5)) await new Promise((resolve) => setTimeout(resolve, random.next() * 1_200))
  if (random.chance(0.5)) await write(draft)
  if (random.chance(0.1)) await doing({ kind: 'discard', token }, 'draft.discard', { draftId: draft.draftId })
  else if (random.chance(0.7)) {
    const how = {
      holdSeconds: random.pick([0, 0, 1]) ?? 0,
      archive: false,
      scheduledAt: random.chance(0.2) ? Date.now() + 4_000 : null,
    }
    await doing({ kind: 'send', token }, 'draft.send', { draftId: draft.draftId, revision: draft.revision, ...how })
    if (random.chance(0.2)) {
      await new Promise((resolve) => setTimeout(resolve, random.next() * 200))
      await doing({ kind: 'cancel', token }, 'draft.cancelSending', { draftId: draft.draftId })
    }
  }
  await new Promise((resolve) => setTimeout(resolve, random.next() * 60))
}
