import { setTimeout as wait } from 'node:timers/promises'
import { formatRecipient } from '../shared/recipients.ts'
import { toProblem } from '../shared/result.ts'
import type { Draft, Recipient } from '../shared/writing.ts'
import type { AccountHere } from './accounts-here.ts'
import { firstWith, type AccountToChange } from './account-to-change.ts'
import { safeJson, safeLine } from './safe-text.ts'
import { CommandError, EXIT, type ExitCode, type Terminal } from './terminal.ts'

export interface SendOptions {
  readonly draftId: string
  readonly isSure: boolean
  readonly isDryRun: boolean
  /** When the platform sends it, milliseconds since the epoch; null for now. */
  readonly at: number | null
  readonly isJson: boolean
}

/** How long the platform has to take a message before the command ends; the outbox goes on. */
const PATIENCE_MS = 30_000
const LOOK_EVERY_MS = 200

const people = (recipients: readonly Recipient[]): string => recipients.map(formatRecipient).join(', ')

const summaryOf = ({ content: { to, cc, bcc, subject, files } }: Draft): readonly string[] =>
  [
    ['To', people(to)],
    ['Cc', people(cc)],
    ['Bcc', people(bcc)],
    ['Subject', subject || '(no subject)'],
    ['Files', files.map(({ filename }) => filename).join(', ')],
  ].flatMap(([name = '', value = '']) => (value === '' ? [] : [`  ${name}: ${safeLine(value)}`]))

/** What became of a message, as far as it is known when the command ends. */
type Outcome =
  | { readonly kind: 'sent'; readonly emailId: string; readonly threadId: string | null }
  | { readonly kind: 'scheduled' | 'waiting' }

const openDraft = (opened: Pick<AccountToChange, 'ask'>, draftId: string): Promise<Draft | null> =>
  opened.ask('draft.open', { draftId }).catch((thrown: unknown) => {
    if (toProblem(thrown).code === 'not_found') return null
    throw thrown
  })

/**
 * Sends a draft, and waits until the platform has taken it, or it is known that this takes longer.
 * @throws CommandError where it is refused
 */
const send = async (opened: AccountToChange, { id: draftId, revision }: Draft, at: number | null): Promise<Outcome> => {
  const sent: { outcome: Outcome | null } = { outcome: null }
  opened.listen((event) => {
    if (event.name !== 'draft.sent' || event.payload.draftId !== draftId) return
    const { emailId, threadId } = event.payload
    sent.outcome = { kind: 'sent', emailId, threadId }
  })
  await opened.ask('draft.send', { draftId, revision, holdSeconds: 0, archive: false, scheduledAt: at })
  const until = Date.now() + PATIENCE_MS
  while (Date.now() < until) {
    if (sent.outcome !== null) return sent.outcome
    // It goes in the moment in which the platform has it, of which the event tells.
    const state = (await openDraft(opened, draftId))?.state
    if (state?.kind === 'scheduled') return { kind: 'scheduled' }
    if (state?.kind === 'refused') throw new CommandError(`${state.reason.message} The draft is kept.`, EXIT.failed)
    const { connection } = await opened.ask('sync.status', {})
    if (connection !== 'online' && !(opened.sends && connection === 'needsKey')) break
    await wait(LOOK_EVERY_MS)
  }
  return sent.outcome ?? { kind: 'waiting' }
}

const WORDS: Readonly<Record<Outcome['kind'], string>> = {
  sent: 'Sent.',
  scheduled: 'Scheduled: the platform sends it at that time.',
  waiting: 'The message waits in the outbox. Linnet sends it when it runs and is online.',
}

/** `linnet send`: a draft of this computer, once the person has said that they are sure. */
export const sendDraft = async (
  accounts: readonly AccountHere[],
  { draftId, isSure, isDryRun, at, isJson }: SendOptions,
  terminal: Terminal,
): Promise<ExitCode> => {
  const outcome = await firstWith(accounts, terminal, async (opened, { id }) => {
    const draft = await openDraft(opened, draftId)
    if (draft === null) return null
    if (!isSure || isDryRun) {
      const code = isDryRun ? EXIT.done : EXIT.usage
      throw new CommandError('Nothing was sent. Add --yes to send this message:', code, summaryOf(draft))
    }
    const { kind, ...ids } = await send(opened, draft, at)
    if (isJson) terminal.print(safeJson({ type: 'send', account: id, draft: draftId, state: kind, ...ids }))
    return kind
  })
  if (outcome === null) throw new CommandError(`There is no draft “${draftId}” here.`, EXIT.nothing)
  terminal.note(WORDS[outcome])
  return EXIT.done
}
