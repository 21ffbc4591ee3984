/**
 * A process that is to be ended: an engine that syncs, and a person who writes drafts, adds files to them and throws some
 * away. Everything is said on the standard output before it is asked for and after the engine has taken it.
 */
import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { createEngine } from '../../../../src/engine/engine.ts'
import type { CommandInput, CommandOutput, EngineCommand } from '../../../../src/shared/contract.ts'
import type { Result } from '../../../../src/shared/result.ts'
import type { DraftContent } from '../../../../src/shared/writing.ts'

const [baseUrl = '', apiKey = '', directory = '', inboxId = ''] = process.argv.slice(2)
const say = (word: string, what: unknown): number => writeSync(1, `${word} ${JSON.stringify(what)}\n`)

const engine = createEngine({ event: () => undefined, keyAccepted: () => undefined, log: () => undefined })
const opened = await engine.open({ id: 'restless', baseUrl, directory, key: { apiKey, isAccepted: true } })
if (!opened.ok) {
  say('failed', opened.error)
  process.exit(1)
}
const ask = async <Name extends EngineCommand>(
  name: Name,
  input: CommandInput<Name>,
): Promise<CommandOutput<Name> | null> => {
  const result = (await engine.call('restless', name, input, 'window')) as Result<CommandOutput<Name>>
  if (result.ok) return result.data
  say('failed', result.error)
  return null
}
const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(Math.random() * items.length)]

for (;;) {
  // The subject is the draft's own name, the text the last thing that was written.
  const listed = (await ask('draft.list', { inboxId })) ?? []
  // One that was thrown away as the end came is listed as the platform's until its list is read.
  const drafts = listed.filter(({ isOurs }) => isOurs)
  const text = randomUUID()
  const chosen = drafts.length < 3 || Math.random() < 0.1 ? undefined : pick(drafts)
  if (chosen === undefined) {
    const subject = randomUUID()
    const content: DraftContent = {
      ...{ to: [{ name: null, address: 'ada@example.com' }], cc: [], bcc: [], subject, format: 'plain' },
      ...{ html: '', text, quote: null, files: [] },
    }
    say('ask', { subject, text })
    const made = await ask('draft.create', { inboxId, kind: 'new', target: null, content })
    if (made !== null) say('taken', { subject, text })
  } else {
    const draft = await ask('draft.open', { draftId: chosen.id })
    if (draft === null) continue
    const { id: draftId, revision, content } = draft
    const { subject } = content
    if (drafts.length > 5 && Math.random() < 0.3) {
      say('ask', { subject, text: null })
      await ask('draft.discard', { draftId })
      say('taken', { subject, text: null })
    } else {
      const base64 = Buffer.from(text).toString('base64')
      const about = { upload: text, place: 0, isLast: true, filename: `${text}.txt`, contentType: 'text/plain' }
      const isFile = Math.random() < 0.2 && content.files.length < 3
      const file = isFile ? await ask('draft.addFile', { draftId, ...about, base64, isInline: false }) : null
      const files = file === null ? content.files : [...content.files, file]
      say('ask', { subject, text })
      const saved = await ask('draft.save', { draftId, revision, content: { ...content, text, files } })
      if (saved !== null) say('taken', { subject, text })
    }
  }
  await new Promise((resolve) => setTimeout(resolve, Math.random() < 0.1 ? 900 : 20))
}
