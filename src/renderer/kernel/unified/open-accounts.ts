import type { BodyOwner, CommandInput, CommandName, CommandOutput, CommandsRoutedAs } from '../../../shared/contract.ts'
import { fail, type Result } from '../../../shared/result.ts'
import type { Backend } from '../backend.ts'
import { joinIds, parseUnifiedInboxId, parseUnifiedThreadId, splitIds } from './unified-ids.ts'
import { collectSuccesses, mapResult } from './results.ts'

export type UnifiedHandler<Name extends CommandName> = (
  input: CommandInput<Name>,
) => Promise<Result<CommandOutput<Name>>>

export type UnifiedHandlers<Domain extends string> = {
  readonly [Name in Extract<CommandsRoutedAs<'joined'>, `${Domain}.${string}`>]: UnifiedHandler<Name>
}

const THREAD_NOT_FOUND = fail('not_found', 'This thread is not in any of your open inboxes.')
const DRAFT_NOT_FOUND = fail('not_found', 'This draft is not in any of your open accounts.')
export const SINGLE_ACCOUNT_ERROR = fail(
  'invalid_input',
  'This action works in one account at a time. Choose an inbox first.',
)

/** Input fields that identify the owner. Every command routed to its `owner` has at least one. */
export interface OwnerFields {
  readonly draftId?: string | undefined
  readonly id?: string | undefined
  readonly threadId?: string | undefined
  /** Inbox of the thread; identifies the owner only without `threadId`. */
  readonly inboxId?: string | undefined
  readonly of?: BodyOwner | undefined
}

interface OwnerField {
  /** Undefined for an ID of another kind. */
  readonly accountId: string | undefined
  /** The same fields with the account's own IDs. */
  readonly localInput: OwnerFields
  readonly missingProblem: Result<never>
}

const ownerFieldsIn = ({ draftId, id, threadId, inboxId, of }: OwnerFields): readonly OwnerField[] => {
  const named: OwnerField[] = []
  if (draftId !== undefined) {
    const [part] = splitIds(draftId)
    named.push({ accountId: part?.accountId, localInput: { draftId: part?.id }, missingProblem: DRAFT_NOT_FOUND })
  }
  if (id !== undefined) {
    const [part] = splitIds(id)
    named.push({ accountId: part?.accountId, localInput: { id: part?.id }, missingProblem: SINGLE_ACCOUNT_ERROR })
  }
  if (threadId !== undefined) {
    const { accountId, ...localInput } = parseUnifiedThreadId(threadId) ?? {}
    named.push({ accountId, localInput, missingProblem: THREAD_NOT_FOUND })
  } else if (inboxId !== undefined) {
    const { accountId, ...localInput } = parseUnifiedInboxId(inboxId) ?? {}
    named.push({ accountId, localInput, missingProblem: SINGLE_ACCOUNT_ERROR })
  }
  if (of?.list === 'threads') {
    const at = parseUnifiedThreadId(of.threadId)
    const localInput = at === null ? {} : { of: { ...of, inboxId: at.inboxId, threadId: at.threadId } }
    named.push({ accountId: at?.accountId, localInput, missingProblem: THREAD_NOT_FOUND })
  }
  return named
}

export class OpenAccounts {
  readonly #rootBackend: Backend
  readonly ids: () => readonly string[]
  #opened: string | null = null

  /**
   * @param rootBackend backend without an account @param ids IDs of the currently open accounts, in the user's order
   */
  constructor(rootBackend: Backend, ids: () => readonly string[]) {
    this.#rootBackend = rootBackend
    this.ids = ids
  }

  of(accountId: string): Backend {
    return this.#rootBackend.of(accountId)
  }

  /** Sets the account of the open conversation. */
  open(accountId: string): void {
    this.#opened = accountId
  }

  each<Output>(
    ask: (account: Backend, accountId: string) => Promise<Result<Output>>,
  ): Promise<readonly Result<Output>[]> {
    return Promise.all(this.ids().map((accountId) => ask(this.of(accountId), accountId)))
  }

  /** Collects successful responses; the first problem if all fail. */
  async gather<Output>(
    ask: (account: Backend, accountId: string) => Promise<Result<Output>>,
  ): Promise<Result<readonly Output[]>> {
    return collectSuccesses(await this.each(ask))
  }

  /** Joins the accounts' lists, with IDs that include the account. */
  async join<Item extends { readonly id: string }>(
    ask: (account: Backend) => Promise<Result<readonly Item[]>>,
  ): Promise<Result<readonly Item[]>> {
    const lists = await this.gather(async (account, accountId) =>
      mapResult(await ask(account), (items) =>
        items.map((item) => ({ ...item, id: joinIds([{ accountId, id: item.id }]) })),
      ),
    )
    return mapResult(lists, (all) => all.flat())
  }

  /** Calls the account of the open or last opened conversation, or else the first. */
  async callActive<Output>(
    ask: (account: Backend, accountId: string) => Promise<Result<Output>>,
  ): Promise<Result<Output>> {
    const all = this.ids()
    const accountId = this.#opened !== null && all.includes(this.#opened) ? this.#opened : all[0]
    return accountId === undefined ? SINGLE_ACCOUNT_ERROR : ask(this.of(accountId), accountId)
  }

  /**
   * Calls the account that owns everything the input identifies, with the account's own IDs. An e-mail in an
   * account-wide list identifies no account, so the open conversation's account is used.
   */
  async callOwner<Input extends OwnerFields, Output>(
    input: Input,
    ask: (account: Backend, localInput: Input, accountId: string) => Promise<Result<Output>>,
  ): Promise<Result<Output>> {
    const named = ownerFieldsIn(input)
    const owner = named[0]?.accountId
    const missing = named.find(({ accountId }) => accountId === undefined || accountId !== owner)
    if (missing !== undefined) return missing.missingProblem
    if (owner === undefined) return this.callActive((account, accountId) => ask(account, input, accountId))
    if (!this.ids().includes(owner)) return named[0]?.missingProblem ?? THREAD_NOT_FOUND
    const localInput = named.reduce((all, part) => ({ ...all, ...part.localInput }), input)
    return ask(this.of(owner), localInput, owner)
  }
}
