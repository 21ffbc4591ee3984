/**
 * A process that is to be ended: an engine, and a person who begins drafts, writes on, adds files, throws away, sends, schedules and
 * takes back. Each of it is said on the standard output before it is asked for and after the engine has taken it. A message is
 * known by a word of its own in its subject.
 */
import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { createEngine } from '../../../../src/engine/engine.ts'
import type { CommandInput, CommandOutput, EngineCommand } from '../../../../src/shared/contract.ts'
import type { Result } from '../../../../src/shared/result.ts'
import { folderQuery } from '../../../../src/shared/thread-query.ts'
import type { DraftContent, DraftFile, WritingTarget } from '../../../../src/shared/writing.ts'

const [baseUrl = '', apiKey = '', directory = '', inboxId = ''] = process.argv.slice(2)
const say = (word: string, what: object): number => writeSync(1, `${word} ${JSON.stringify(what)}\n`)

const engine = createEngine({ event: () => undefined, keyAccepted: () => undefined, log: () => undefined })
const opened = await engine.open({ id: 'restless', baseUrl, directory, key: { apiKey, isAccepted: true } })
if (!opened.ok) {
  say('failed', opened.error)
  process.exit(1)
}
say('open', {})
const ask = async <Name extends EngineCommand>(
  name: Name,
  input: CommandInput<Name>,
): Promise<Result<CommandOutput<Name>>> =>
  (await engine.call('restless', name, input, 'window')) as Result<CommandOutput<Name>>
const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(Math.random() * items.length)]
const chance = (share: number): boolean => Math.random() < share

const contentOf = (token: string, text: string, files: readonly DraftFile[]): DraftContent => ({
  to: [{ name: 'Ada Ferro', address: 'ada@example.com' }],
  ...{ cc: [], bcc: [], subject: `Berth ${token}`, format: 'rich', html: `<p>${text}</p>`, text, files },
  quote: { html: '<blockquote>Before</blockquote>', text: '> Before' },
})

/** Something to answer. */
const target = async (): Promise<WritingTarget | null> => {
  const listed = await ask('thread.list', { query: folderQuery(inboxId, 'inbox'), offset: 0, limit: 3 })
  const thread = listed.ok ? pick(listed.data.items) : undefined
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

/** Tells what is done before and after. @returns what the engine answered, where it has taken it */
const doing = async <Name extends EngineCommand>(
  what: { readonly kind: string; readonly token: string; readonly text?: string },
  name: Name,
  input: CommandInput<Name>,
): Promise<CommandOutput<Name> | null> => {
  say('ask', what)
  const answer = await ask(name, input)
  if (answer.ok) say('taken', what)
  // Another state than a moment ago is no fault: it was sent meanwhile, or cannot be taken back any more.
  else if (['conflict', 'not_found', 'unreachable', 'platform_failed', 'rate_limited'].includes(answer.error.code)) {
    say(answer.error.code === 'conflict' ? 'declined' : 'unanswered', what)
  } else say('failed', { ...what, ...answer.error })
  return answer.ok ? answer.data : null
}

const write = async (draft: Written): Promise<void> => {
  const text = randomUUID()
  const what = { kind: 'write', token: draft.token, text }
  const saved = await doing(what, 'draft.save', {
    draftId: draft.draftId,
    revision: draft.revision,
    content: contentOf(draft.token, text, draft.files),
  })
  if (saved !== null) draft.revision = saved.revision
}

for (;;) {
  const token = randomUUID()
  const text = randomUUID()
  const answered = chance(0.5) ? await target() : null
  const kind = answered === null ? 'new' : (pick(['reply', 'replyAll', 'forward'] as const) ?? 'reply')
  const content = contentOf(token, text, [])
  const made = await doing({ kind: 'write', token, text }, 'draft.create', { inboxId, kind, target: answered, content })
  if (made === null) continue
  const draft: Written = { draftId: made.draftId, token, revision: made.revision, files: [] }
  if (chance(0.4)) {
    const file = await ask('draft.addFile', {
      ...{ draftId: draft.draftId, upload: token, place: 0, isLast: true, filename: 'quay.png', isInline: chance(0.3) },
      contentType: 'image/png',
      base64: Buffer.alloc(200_000, token).toString('base64'),
    })
    if (file.ok && file.data !== null) draft.files = [file.data]
    await write(draft)
  }
  if (chance(0.5)) await new Promise((resolve) => setTimeout(resolve, Math.random() * 1_200))
  if (chance(0.5)) await write(draft)
  if (chance(0.1)) await doing({ kind: 'discard', token }, 'draft.discard', { draftId: draft.draftId })
  else if (chance(0.7)) {
    const how = {
      holdSeconds: pick([0, 0, 1]) ?? 0,
      archive: false,
      scheduledAt: chance(0.2) ? Date.now() + 4_000 : null,
    }
    await doing({ kind: 'send', token }, 'draft.send', { draftId: draft.draftId, revision: draft.revision, ...how })
    if (chance(0.2)) {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 200))
      await doing({ kind: 'cancel', token }, 'draft.cancelSending', { draftId: draft.draftId })
    }
  }
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 60))
}
