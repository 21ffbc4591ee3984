import { setTimeout as wait } from 'node:timers/promises'
import { formatRecipient } from '../shared/recipients.ts'
import { toProblem } from '../shared/result.ts'
import type { Draft, Recipient } from '../shared/drafts.ts'
import type { LocalAccount } from './local-accounts.ts'
import { findInAccounts, type WritableAccount } from './writable-account.ts'
import { toSafeJson, sanitizeLine } from './safe-text.ts'
import { CommandError, EXIT, type ExitCode, type Terminal } from './terminal.ts'

export interface SendOptions {
  readonly draftId: string
  readonly isSure: boolean
  readonly isDryRun: boolean
  /** Scheduled time in milliseconds since the epoch; null to send now. */
  readonly at: number | null
  readonly isJson: boolean
}

/** How long the command waits for the platform to accept a message. After that, the outbox takes over. */
const ACCEPT_TIMEOUT_MS = 30_000
const POLL_INTERVAL_MS = 200

const formatRecipients = (recipients: readonly Recipient[]): string => recipients.map(formatRecipient).join(', ')

const summaryOf = ({ content: { to, cc, bcc, subject, files } }: Draft): readonly string[] =>
  [
    ['To', formatRecipients(to)],
    ['Cc', formatRecipients(cc)],
    ['Bcc', formatRecipients(bcc)],
    ['Subject', subject || '(no subject)'],
    ['Files', files.map(({ filename }) => filename).join(', ')],
  ].flatMap(([name = '', value = '']) => (value === '' ? [] : [`  ${name}: ${sanitizeLine(value)}`]))

type Outcome =
  | { readonly kind: 'sent'; readonly emailId: string; readonly threadId: string | null }
  | { readonly kind: 'scheduled' | 'waiting' }

const openDraft = (opened: Pick<WritableAccount, 'ask'>, draftId: string): Promise<Draft | null> =>
  opened.ask('draft.open', { draftId }).catch((thrown: unknown) => {
    if (toProblem(thrown).code === 'not_found') return null
    throw thrown
  })

/**
 * Sends a draft and waits until the platform has it, or until that clearly takes longer. @throws CommandError if
 * rejected
 */
const send = async (opened: WritableAccount, { id: draftId, revision }: Draft, at: number | null): Promise<Outcome> => {
  const sent: { outcome: Outcome | null } = { outcome: null }
  opened.listen((event) => {
    if (event.name !== 'draft.sent' || event.payload.draftId !== draftId) return
    const { emailId, threadId } = event.payload
    sent.outcome = { kind: 'sent', emailId, threadId }
  })
  await opened.ask('draft.send', { draftId, revision, holdSeconds: 0, archive: false, scheduledAt: at })
  const until = Date.now() + ACCEPT_TIMEOUT_MS
  while (Date.now() < until) {
    if (sent.outcome !== null) return sent.outcome
    // The draft disappears once the platform has it; the event reports that.
    const state = (await openDraft(opened, draftId))?.state
    if (state?.kind === 'scheduled') return { kind: 'scheduled' }
    if (state?.kind === 'refused') throw new CommandError(`${state.reason.message} The draft was kept.`, EXIT.failed)
    const { connection } = await opened.ask('sync.status', {})
    if (connection !== 'online' && !(opened.sends && connection === 'needsKey')) break
    await wait(POLL_INTERVAL_MS)
  }
  return sent.outcome ?? { kind: 'waiting' }
}

const OUTCOME_MESSAGES: Readonly<Record<Outcome['kind'], string>> = {
  sent: 'Sent.',
  scheduled: 'Scheduled. The platform will send the message at that time.',
  waiting: 'The message is in the outbox. Linnet will send it when it runs and is online.',
}

/** `linnet send`: sends a local draft after the user has confirmed. */
export const sendDraft = async (
  accounts: readonly LocalAccount[],
  { draftId, isSure, isDryRun, at, isJson }: SendOptions,
  terminal: Terminal,
): Promise<ExitCode> => {
  const outcome = await findInAccounts(accounts, terminal, async (opened, { id }) => {
    const draft = await openDraft(opened, draftId)
    if (draft === null) return null
    if (!isSure || isDryRun) {
      const code = isDryRun ? EXIT.done : EXIT.usage
      throw new CommandError('Nothing was sent. Add --yes to send this message:', code, summaryOf(draft))
    }
    const { kind, ...ids } = await send(opened, draft, at)
    if (isJson) terminal.print(toSafeJson({ type: 'send', account: id, draft: draftId, state: kind, ...ids }))
    return kind
  })
  if (outcome === null) throw new CommandError(`There is no draft “${draftId}” here.`, EXIT.nothing)
  terminal.note(OUTCOME_MESSAGES[outcome])
  return EXIT.done
}
