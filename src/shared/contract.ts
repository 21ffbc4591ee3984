/**
 * The contract between the UI and its back ends. Lists every command with its input, output and multi-account
 * behaviour, and every event, joined from one file per domain. Bindings, dispatcher and client derive from it, so a
 * command without a handler doesn't compile.
 */
import type { z } from 'zod'
import { accountEmailCommands, type AccountEmailEvents } from './contract/account-emails.ts'
import { accountCommands, type AccountEvents } from './contract/accounts.ts'
import { agentCommands } from './contract/agents.ts'
import { replyTimeCommands } from './contract/reply-times.ts'
import { assistantCommands, type AssistantEvents } from './contract/assistants.ts'
import { appCommands, type AppEvents } from './contract/app.ts'
import type { CommandTarget } from './contract/command.ts'
import { assigneeCommands, type AssigneeEvents } from './contract/assignees.ts'
import { contactTableCommands } from './contract/contact-tables.ts'
import { desktopCommands, type DesktopEvents } from './contract/desktop.ts'
import { draftCommands, type DraftEvents } from './contract/drafts.ts'
import { inboxCommands, type InboxEvents } from './contract/inboxes.ts'
import { messageCommands, type MessageEvents } from './contract/messages.ts'
import { networkCommands, type NetworkEvents } from './contract/network.ts'
import { peopleCommands, type PeopleEvents } from './contract/people.ts'
import { ruleCommands, type RuleEvents } from './contract/rules.ts'
import { searchCommands, type SearchEvents } from './contract/searches.ts'
import { shareLinkCommands, type ShareLinkEvents } from './contract/share-links.ts'
import { snippetCommands, type SnippetEvents } from './contract/snippets.ts'
import { storageCommands, type StorageEvents } from './contract/storage.ts'
import { suppressionCommands, type SuppressionEvents } from './contract/suppressions.ts'
import { syncCommands, type SyncEvents } from './contract/sync.ts'
import { templateCommands, type TemplateEvents } from './contract/templates.ts'
import { threadCommands, type ThreadEvents } from './contract/threads.ts'
import { unsubscribeCommands, type UnsubscribeEvents } from './contract/unsubscribe.ts'
import { usageCommands } from './contract/usage.ts'
import { toInvalidInputProblem } from './invalid-input-problem.ts'
import { fail, ok, toProblem, type Result } from './result.ts'

export type {
  AccountName,
  AccountsState,
  AccountUsage,
  ConnectedAccount,
  KeyConfirmationRequest,
} from './contract/accounts.ts'
export type { KnownAssignees, AssignedUnreadCounts } from './contract/assignees.ts'
export type { CommandTarget } from './contract/command.ts'
export type { ReplacedLabel } from './contract/inboxes.ts'
export type { BodyOwner, SavedFile } from './contract/inputs.ts'
export type { CreatedShareLink } from './contract/share-links.ts'
export type { CacheState, RestoredAccount } from './contract/storage.ts'
export type { Conversation, HistoryEntry, LocalMailCount } from './contract/threads.ts'

export const contract = {
  ...accountCommands,
  ...appCommands,
  ...desktopCommands,
  ...inboxCommands,
  ...agentCommands,
  ...assigneeCommands,
  ...threadCommands,
  ...searchCommands,
  ...ruleCommands,
  ...messageCommands,
  ...unsubscribeCommands,
  ...draftCommands,
  ...snippetCommands,
  ...templateCommands,
  ...shareLinkCommands,
  ...peopleCommands,
  ...suppressionCommands,
  ...contactTableCommands,
  ...accountEmailCommands,
  ...syncCommands,
  ...networkCommands,
  ...storageCommands,
  ...usageCommands,
  ...replyTimeCommands,
  ...assistantCommands,
}

export type CommandName = keyof typeof contract
export type CommandInput<Name extends CommandName> = z.input<(typeof contract)[Name]['input']>
export type ParsedInput<Name extends CommandName> = z.output<(typeof contract)[Name]['input']>
export type CommandOutput<Name extends CommandName> = Exclude<(typeof contract)[Name]['output'], undefined>

export type CommandsForTarget<Where extends CommandTarget> = {
  [Name in CommandName]: (typeof contract)[Name]['target'] extends Where ? Name : never
}[CommandName]
export type HostCommand = CommandsForTarget<'host'>

export interface CallContext {
  /** `ALL_INBOXES` for all open accounts; null for a command that concerns no account. */
  readonly accountId: string | null
  /** The calling window or tab, or the host itself. Keeps changes by different callers apart. */
  readonly caller: string
}

export type EngineCommand = CommandsForTarget<'engine'>

/** The handler of a command with a null response may return nothing. */
type Answer<Output> = Promise<Output> | Output | ([Output] extends [null] ? Promise<void> | void : never)

/** One function per command. A handler throws `ProblemError` for errors that the user can act on. */
export type Handlers<Name extends CommandName> = {
  readonly [Each in Name]: (input: ParsedInput<Each>, context: CallContext) => Answer<CommandOutput<Each>>
}

/** The engine's handlers for one domain, which is the prefix of the command names. */
export type DomainHandlers<Domain extends string> = Handlers<Extract<EngineCommand, `${Domain}.${string}`>>

export const isCommand = (name: string): name is CommandName => Object.hasOwn(contract, name)

/** Returns null for an unknown command. */
export const findCommandTarget = (name: string): CommandTarget | null =>
  isCommand(name) ? contract[name].target : null

/** Validates any name and input. Never throws. @param report gets errors other than `ProblemError`, only for the log */
export const createDispatcher =
  <Where extends CommandTarget>(
    target: Where,
    handlers: Handlers<CommandsForTarget<Where>>,
    report: (thrown: unknown) => void,
  ) =>
  async (name: string, input: unknown, context: CallContext): Promise<Result<unknown>> => {
    if (!isCommand(name) || contract[name].target !== target) {
      return fail('invalid_input', `There is no command named ${JSON.stringify(name)} here.`)
    }
    const parsed = contract[name].input.safeParse(input)
    if (!parsed.success) {
      return { ok: false, error: toInvalidInputProblem(name, parsed.error.issues) }
    }
    try {
      // The type of `handlers` ties this name to this input, but TypeScript can't follow a union of functions that far.
      const handler = handlers[name as CommandsForTarget<Where>] as (
        parsedInput: unknown,
        context: CallContext,
      ) => unknown
      return ok((await handler(parsed.data, context)) ?? null)
    } catch (thrown) {
      const problem = toProblem(thrown)
      if (problem.code === 'internal') report(thrown)
      return { ok: false, error: problem }
    }
  }

/** Events for the UI. Each one tells it what to reload and doesn't contain the new state. */
export interface Events
  extends
    AccountEvents,
    AppEvents,
    DesktopEvents,
    InboxEvents,
    AssigneeEvents,
    ThreadEvents,
    SearchEvents,
    RuleEvents,
    MessageEvents,
    UnsubscribeEvents,
    DraftEvents,
    SnippetEvents,
    TemplateEvents,
    ShareLinkEvents,
    PeopleEvents,
    SuppressionEvents,
    AccountEmailEvents,
    SyncEvents,
    NetworkEvents,
    StorageEvents,
    AssistantEvents {}
export type EventName = keyof Events
export type LinnetEvent = {
  readonly [Name in EventName]: { readonly name: Name; readonly payload: Events[Name] }
}[EventName]
/**
 * An event with its account; null if it concerns no account. If there are several inboxes, the accounts' events are also
 * sent with the IDs of `ALL_INBOXES`.
 */
export type AddressedEvent = LinnetEvent & { readonly accountId: string | null }

export interface Transport {
  /** @param accountId see `CallContext` */
  readonly call: (name: string, input: unknown, accountId: string | null) => Promise<unknown>
  /** Returns an unsubscribe function. */
  readonly subscribe: (listener: (event: AddressedEvent) => void) => () => void
}
