/**
 * Process to be killed: an engine that syncs, and a user who writes drafts, attaches files and discards some drafts.
 * Each action is printed before it is requested and after the engine has accepted it.
 */
import type { CommandInput, CommandOutput, EngineCommand } from '../../../src/shared/contract.ts'
import type { DraftContent } from '../../../src/shared/drafts.ts'
import { lifeArguments, openKillableEngine, random, print } from './killable-engine.ts'

const [inboxId = ''] = lifeArguments
const life = await openKillableEngine()
const ask = async <Name extends EngineCommand>(
  name: Name,
  input: CommandInput<Name>,
): Promise<CommandOutput<Name> | null> => {
  const result = await life.ask(name, input)
  if (result.ok) return result.data
  print('failed', result.error)
  return null
}

for (;;) {
  // The subject identifies the draft; the text is its latest version.
  const listed = (await ask('draft.list', { inboxId })) ?? []
  // A draft discarded just before the kill is listed as the platform's until its list has been fetched.
  const drafts = listed.filter(({ isOurs }) => isOurs)
  const text = random.word()
  const chosen = drafts.length < 3 || random.chance(0.1) ? undefined : random.pick(drafts)
  if (chosen === undefined) {
    const subject = random.word()
    const content: DraftContent = {
      ...{ to: [{ name: null, address: 'ada@example.com' }], cc: [], bcc: [], subject, format: 'plain' },
      ...{ html: '', text, quote: null, files: [] },
    }
    print('ask', { subject, text })
    const made = await ask('draft.create', { inboxId, kind: 'new', target: null, content })
    if (made !== null) print('taken', { subject, text })
  } else {
    const draft = await ask('draft.open', { draftId: chosen.id })
    if (draft === null) continue
    const { id: draftId, revision, content } = draft
    const { subject } = content
    if (drafts.length > 5 && random.chance(0.3)) {
      print('ask', { subject, text: null })
      await ask('draft.discard', { draftId })
      print('taken', { subject, text: null })
    } else {
      const base64 = Buffer.from(text).toString('base64')
      const about = { upload: text, place: 0, isLast: true, filename: `${text}.txt`, contentType: 'text/plain' }
      const isFile = random.chance(0.2) && content.files.length < 3
      const file = isFile ? await ask('draft.addFile', { draftId, ...about, base64, isInline: false }) : null
      const files = file === null ? content.files : [...content.files, file]
      print('ask', { subject, text })
      const saved = await ask('draft.save', { draftId, revision, content: { ...content, text, files } })
      if (saved !== null) print('taken', { subject, text })
    }
  }
  await new Promise((resolve) => setTimeout(resolve, random.chance(0.1) ? 900 : 20))
}
