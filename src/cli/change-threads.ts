import type { CommandInput } from '../shared/contract.ts'
import { findLabelCountProblem, findLabelNameProblem } from '../shared/label-rules.ts'
import type { Label } from '../shared/model.ts'
import type { LocalAccount } from './local-accounts.ts'
import { findInAccounts, openWritableAccount, waitUntilSent, type WritableAccount } from './writable-account.ts'
import { NO_THREAD_LIMIT, resolveThreads, type ChosenThreads, type ThreadChoice } from './choose-threads.ts'
import { toSafeJson } from './safe-text.ts'
import { toResultRow, formatResultRows } from './search.ts'
import { CommandError, EXIT, type ExitCode, type Terminal } from './terminal.ts'

type ThreadChange = CommandInput<'thread.change'>['change']

/** A change as typed: labels by name. */
export interface ThreadChangeInput extends Omit<ThreadChange, 'addLabels' | 'removeLabels' | 'setLabels'> {
  readonly addLabels?: readonly string[]
  readonly removeLabels?: readonly string[]
}

export interface ChangeOptions extends ThreadChoice {
  readonly change: ThreadChangeInput
  /** Past participle for the output, such as `archived`. */
  readonly done: string
  readonly isDryRun: boolean
  readonly isJson: boolean
  /** True to create labels that an inbox doesn't have. */
  readonly makesLabels?: boolean
}

/** Maximum IDs per change (`shared/contract/inputs.ts`). */
const MAX_IDS = 10_000
/** Grey; the user can pick another colour in the window. */
const NEW_LABEL_COLOR = '#64748B'

const formatThreadCount = (threads: number): string =>
  threads === 1 ? '1 thread' : `${threads.toLocaleString('en')} threads`

const findLabel = (name: string, labels: readonly Label[]): Label | undefined =>
  labels.find((each) => each.name === name) ??
  labels.find((each) => each.name.toLowerCase() === name.toLowerCase() || each.id === name)

const labelIds = (names: readonly string[], labels: readonly Label[], address: string): string[] =>
  names.map((name) => {
    const label = findLabel(name, labels)
    if (label !== undefined) return label.id
    const message = `${address} has no label “${name}”. Nothing was changed. Its labels:`
    throw new CommandError(
      message,
      EXIT.nothing,
      labels.map((each) => `  ${each.name}`),
    )
  })

interface Plan {
  readonly change: ThreadChange
  readonly toMake: readonly string[]
}

/** @throws CommandError if a label doesn't exist or can't be created */
const planOf = (
  { change: { addLabels = [], removeLabels = [], ...change }, makesLabels = false }: ChangeOptions,
  { labels, inbox: { emailAddress } }: ChosenThreads,
): Plan => {
  const isMissing = (name: string): boolean => makesLabels && findLabel(name, labels) === undefined
  const toMake = [...new Map(addLabels.filter(isMissing).map((name) => [name.toLowerCase(), name])).values()]
  for (const [at, name] of toMake.entries()) {
    const fault = findLabelNameProblem(name, labels) ?? findLabelCountProblem([...labels, ...toMake.slice(0, at)])
    if (fault !== null) throw new CommandError(`${fault} Nothing was changed.`, EXIT.usage)
  }
  const toAdd = addLabels.filter((name) => !isMissing(name))
  return {
    toMake,
    change: {
      ...change,
      ...(toAdd.length > 0 && { addLabels: labelIds(toAdd, labels, emailAddress) }),
      ...(removeLabels.length > 0 && { removeLabels: labelIds(removeLabels, labels, emailAddress) }),
    },
  }
}

interface AppliedChange {
  readonly threads: number
  readonly changeIds: readonly string[]
}

const makeChange = async (
  { ask }: Pick<WritableAccount, 'ask'>,
  { inbox, query, threads }: ChosenThreads,
  { change: planned, toMake }: Plan,
): Promise<AppliedChange> => {
  const inboxId = inbox.id
  const addLabels = [...(planned.addLabels ?? [])]
  const labelChangeIds: string[] = []
  for (const name of toMake) {
    // Ask the engine: new labels that haven't been sent are missing from the cache.
    const known = findLabel(name, await ask('label.list', { inboxId }))
    const made = known ? null : await ask('label.create', { inboxId, name, color: NEW_LABEL_COLOR })
    addLabels.push(known?.id ?? made?.labelId ?? '')
    // A label in use can be undone only after the change that uses it.
    if (made !== null) labelChangeIds.unshift(made.changeId)
  }
  const change = addLabels.length > 0 ? { ...planned, addLabels } : planned
  if (query !== null) {
    // Leave out mail that arrived after the user looked.
    const upTo = threads[0]?.receivedAt ?? 0
    const receipt = await ask('thread.change', { inboxId, matching: { query, upTo, except: [] }, change })
    return { threads: receipt.threads, changeIds: [receipt.changeId, ...labelChangeIds] }
  }
  const made: AppliedChange[] = []
  for (let from = 0; from < threads.length; from += MAX_IDS) {
    const threadIds = threads.slice(from, from + MAX_IDS).map(({ id }) => id)
    const receipt = await ask('thread.change', { inboxId, threadIds, change })
    made.push({ threads: receipt.threads, changeIds: [receipt.changeId] })
  }
  return {
    threads: made.reduce((sum, each) => sum + each.threads, 0),
    changeIds: [...made.flatMap(({ changeIds }) => changeIds), ...labelChangeIds],
  }
}

const showDryRun = (chosen: readonly ChosenThreads[], { done, isJson }: ChangeOptions, terminal: Terminal): void => {
  const threads = chosen.flatMap(({ account, inbox, threads: own }) =>
    own.map((thread) => ({ account, inbox, thread })),
  )
  if (isJson) {
    for (const { account, inbox, thread } of threads)
      terminal.print(
        toSafeJson({
          type: 'dry-run',
          account: account.id,
          inbox: inbox.emailAddress,
          id: thread.id,
          subject: thread.subject,
        }),
      )
  } else {
    const rows = threads.map(({ thread }) => toResultRow(thread))
    for (const line of formatResultRows(rows, terminal.columns)) terminal.print(line)
  }
  terminal.note(
    `${formatThreadCount(threads.length)} would be ${done}. Nothing was changed. Run the command without --dry-run to make the change.`,
  )
}

/** Tells the user when the `waiting` unsent changes will be sent. Silent while Linnet is running. */
const reportUnsentChanges = ({ isRunning, sends }: WritableAccount, waiting: number, terminal: Terminal): void => {
  if (isRunning || waiting === 0) return
  terminal.note(
    sends
      ? 'The platform cannot be reached. Linnet will send your changes when it is online.'
      : 'Linnet is not running. It will send your changes when you start it.',
  )
}

/** `linnet archive`, `label`, `move` and other thread changes: applied locally at once and queued in the outbox. */
export const changeThreads = async (
  accounts: readonly LocalAccount[],
  options: ChangeOptions,
  terminal: Terminal,
): Promise<ExitCode> => {
  const chosen = resolveThreads(accounts, options, options.isDryRun ? NO_THREAD_LIMIT : 1)
  const plans = chosen.map((each) => planOf(options, each))
  if (options.isDryRun) {
    showDryRun(chosen, options, terminal)
    for (const name of new Set(plans.flatMap(({ toMake }) => toMake)))
      terminal.note(`The label “${name}” would be created.`)
    return EXIT.done
  }
  let changed = 0
  const undoing: string[] = []
  for (const account of accounts) {
    const own = chosen.flatMap((each, place) =>
      each.account === account ? [{ each, plan: plans[place] ?? { change: {}, toMake: [] } }] : [],
    )
    if (own.length === 0) continue
    const opened = await openWritableAccount(account, terminal)
    try {
      for (const { each, plan } of own) {
        const { threads, changeIds } = await makeChange(opened, each, plan)
        changed += threads
        if (threads > 0) undoing.push(...changeIds.map((changeId) => `linnet undo ${changeId}`))
        if (!options.isJson) continue
        const inbox = each.inbox.emailAddress
        for (const changeId of changeIds)
          terminal.print(
            toSafeJson({ type: 'change', account: account.id, inbox, change: options.done, threads, changeId }),
          )
      }
      reportUnsentChanges(opened, await waitUntilSent(opened), terminal)
    } finally {
      await opened.close()
    }
  }
  terminal.note(
    changed === 0
      ? `Nothing to do: every thread is already ${options.done}.`
      : `${formatThreadCount(changed)} ${options.done}. To undo: ${undoing.join(' and ')}`,
  )
  return EXIT.done
}

/** `linnet undo`: undoes a command's change, except where something else has changed since. */
export const undoChange = async (
  accounts: readonly LocalAccount[],
  changeId: string,
  terminal: Terminal,
): Promise<ExitCode> => {
  const isUndone = await findInAccounts(accounts, terminal, async (opened) => {
    const { undone } = await opened.ask('change.undo', { changeId })
    if (!undone) return null
    reportUnsentChanges(opened, await waitUntilSent(opened), terminal)
    return true
  })
  if (isUndone === null) throw new CommandError('There is no such change, or it was already undone.', EXIT.nothing)
  terminal.note('Undone.')
  return EXIT.done
}
