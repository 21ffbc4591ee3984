/**
 * The one contract between the screens and what serves them: every command with its input, its output and its way over
 * several accounts, and every event. Each is in the file of its domain and joined here. Both hosts' bindings, the engine's
 * dispatcher and the window's client are derived from these two tables, so a command without a handler does not compile.
 */
import type { z } from 'zod'
import { accountEmailCommands, type AccountEmailEvents } from './contract/account-emails.ts'
import { accountCommands, type AccountEvents } from './contract/accounts.ts'
import { agentCommands } from './contract/agents.ts'
import { answerCommands } from './contract/answers.ts'
import { assistantCommands, type AssistantEvents } from './contract/assistants.ts'
import { appCommands, type AppEvents } from './contract/app.ts'
import type { Room, Way } from './contract/command.ts'
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
import { describeRefusal } from './describe-refusal.ts'
import { fail, ok, toProblem, type Result } from './result.ts'

export type { AccountName, AccountsState, AccountUsage, ConnectedAccount, KeyQuestion } from './contract/accounts.ts'
export type { KnownAssignees, UnreadAssigned } from './contract/assignees.ts'
export type { Room } from './contract/command.ts'
export type { ReplacedLabel } from './contract/inboxes.ts'
export type { BodyOwner, SavedFile } from './contract/inputs.ts'
export type { MadeShareLink } from './contract/share-links.ts'
export type { CacheState, RestoredAccount } from './contract/storage.ts'
export type { Conversation, KeptMailCount } from './contract/threads.ts'

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
  ...answerCommands,
  ...assistantCommands,
}

export type CommandName = keyof typeof contract
export type CommandInput<Name extends CommandName> = z.input<(typeof contract)[Name]['input']>
export type ParsedInput<Name extends CommandName> = z.output<(typeof contract)[Name]['input']>
export type CommandOutput<Name extends CommandName> = Exclude<(typeof contract)[Name]['output'], undefined>

export type CommandsOf<Where extends Room> = {
  [Name in CommandName]: (typeof contract)[Name]['room'] extends Where ? Name : never
}[CommandName]
/** The commands that go one way where all accounts are asked as one. */
export type CommandsAcross<Each extends Way> = {
  [Name in CommandName]: (typeof contract)[Name]['across'] extends Each ? Name : never
}[CommandName]
export type HostCommand = CommandsOf<'host'>

/** The envelope of a call: about whose mail it is, and who asks. */
export interface Asking {
  readonly accountId: string | null
  /** One of the windows or tabs, or the host itself: what one of them does is never taken for another's doing. */
  readonly caller: string
}

export type EngineCommand = CommandsOf<'engine'>
/** Those about several accounts. */
export type AcrossCommand = CommandsOf<'across'>

/** A command that answers null may return nothing. */
type Answer<Output> = Promise<Output> | Output | ([Output] extends [null] ? Promise<void> | void : never)

/** One function a command. A handler throws `ProblemError` for what a person can act on. */
export type Handlers<Name extends CommandName> = {
  readonly [Each in Name]: (input: ParsedInput<Each>, asking: Asking) => Answer<CommandOutput<Each>>
}

/** The engine's handlers of one domain: of the commands whose names begin with it. */
export type HandlersOf<Domain extends string> = Handlers<Extract<EngineCommand, `${Domain}.${string}`>>

export const isCommand = (name: string): name is CommandName => Object.hasOwn(contract, name)

/** The room that answers a command; null for a name that the contract does not know. */
export const roomOf = (name: string): Room | null => (isCommand(name) ? contract[name].room : null)

/**
 * The door of a room: takes any name and any input, lets through what the contract allows and turns everything that
 * goes wrong into a `Problem`. Never throws.
 * @param report is given what was thrown where it is no `ProblemError`: for the log, never for the screen
 */
export const createDispatcher =
  <Where extends Room>(room: Where, handlers: Handlers<CommandsOf<Where>>, report: (thrown: unknown) => void) =>
  async (name: string, input: unknown, asking: Asking): Promise<Result<unknown>> => {
    if (!isCommand(name) || contract[name].room !== room) {
      return fail('invalid_input', `There is no command named ${JSON.stringify(name)} here.`)
    }
    const parsed = contract[name].input.safeParse(input)
    if (!parsed.success) {
      return { ok: false, error: describeRefusal(name, parsed.error.issues) }
    }
    try {
      // The table above has tied this name to this input; TypeScript cannot follow a union of functions that far.
      const handler = handlers[name as CommandsOf<Where>] as (parsedInput: unknown, asking: Asking) => unknown
      return ok((await handler(parsed.data, asking)) ?? null)
    } catch (thrown) {
      const problem = toProblem(thrown)
      if (problem.code === 'internal') report(thrown)
      return { ok: false, error: problem }
    }
  }

/** What the screens are told without asking. Each says what to read again, not what it is now. */
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
/** An event with the account that it is about; null where it is about none, or about all. */
export type AddressedEvent = LinnetEvent & { readonly accountId: string | null }

/** All that a host supplies to the screens. */
export interface Transport {
  /** @param accountId the account whose mail is meant; null for what is about none, or about all */
  readonly call: (name: string, input: unknown, accountId: string | null) => Promise<unknown>
  /** Returns the function that ends the subscription. */
  readonly subscribe: (listener: (event: AddressedEvent) => void) => () => void
}
