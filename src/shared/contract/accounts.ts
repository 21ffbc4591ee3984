import { z } from 'zod'
import { MAX_ACCOUNT_NAME_LENGTH, type Account } from '../model.ts'
import type { Problem } from '../result.ts'
import { defineHostCommand } from './command.ts'
import { accountIdSchema, apiKeySchema, credentialsSchema, labelColorSchema, emptyInputSchema } from './inputs.ts'

/** An account with mail on this computer. */
export interface AccountName {
  readonly id: string
  /** Null if the account's folder contains no other information. */
  readonly baseUrl: string | null
  readonly addresses: readonly string[]
}

/** A working key that needs a decision from the user before it is used. */
export interface KeyConfirmationRequest {
  readonly baseUrl: string
  /** Addresses of the inboxes that the key opens. */
  readonly addresses: readonly string[]
  /**
   * True if this is a new key for the only candidate, which has the same inboxes: it can replace the old key or be
   * dropped. Otherwise Linnet can't tell whether the key belongs to any of the local mail.
   */
  readonly isNewKey: boolean
  readonly candidates: readonly AccountName[]
}

/** A connected account. It is either open, or closed for the reason in `problem`. */
export interface ConnectedAccount extends Account {
  /** Addresses of the account's inboxes, as last seen. */
  readonly addresses: readonly string[]
  readonly isOpen: boolean
  /** False while the account's key is untested because the platform is unreachable. */
  readonly isKeyTested: boolean
  /** True if the user signed in through the browser, and so must never be asked for a key. */
  readonly isSignedIn: boolean
  /** True if the account's key comes from the environment, for this run only. */
  readonly isFromEnvironment: boolean
  /** Why the account could not be opened or its key not read, or null. */
  readonly problem: Problem | null
}

export interface AccountsState {
  /** Connected accounts, in the user's order. */
  readonly accounts: readonly ConnectedAccount[]
  /** Where keys are stored; shown before the user types one. */
  readonly keyStorage: 'keychain' | 'memory'
  /** A problem that concerns no single account, such as unreadable settings, or null. */
  readonly problem: Problem | null
  /** Accounts that are not connected but have mail on this computer. */
  readonly known: readonly AccountName[]
  /** Decision that the user must make about a key; null if there is none. */
  readonly question: KeyConfirmationRequest | null
  /** Demo messages created so far while the demo starts for the first time; otherwise null. */
  readonly demoProgress: { readonly done: number; readonly total: number } | null
}

/** Data that would be lost with an account, to warn the user before it is removed. */
export interface AccountUsage {
  /** Size of all local files of the account. */
  readonly bytes: number
  readonly unsentChanges: number
  /** Drafts that are not on the platform, differ from it, or are about to be sent. */
  readonly drafts: number
  /** Threads that exist only locally because the platform has dropped them. */
  readonly localOnlyThreads: number
}

export const accountCommands = {
  'account.state': defineHostCommand<AccountsState>()(emptyInputSchema),
  /**
   * Tests the base URL and the key, and keeps them if the test passes. Opens the account in addition to the open ones,
   * or opens the existing account that the key belongs to. Offline, an existing account opens, and its key is tested
   * and kept later. Null if the user has to decide something first: see `account.state`.
   */
  'account.connect': defineHostCommand<Account | null>()(credentialsSchema),
  /** Replaces an account's key; cached and unsent data stay. `isTested` is false if the platform was not reached. */
  'account.setKey': defineHostCommand<{ readonly isTested: boolean }>()(() =>
    z.object({ accountId: accountIdSchema, apiKey: apiKeySchema }).strict(),
  ),
  /** Starts a sign-in at `url` for the user's browser, cancelling a pending one. `not_found` if not offered. */
  'account.beginSignIn': defineHostCommand<{ readonly url: string }>()(() => credentialsSchema.pick({ baseUrl: true })),
  /**
   * Waits until the user finishes in the browser, then connects like `account.connect`, or like `account.setKey` if
   * `accountId` is given. With `url`, returns `cancelled` unless that page's sign-in is the latest. `refused` if the
   * user declined, or if the response belongs to another sign-in. `account.cancelTest` stops the wait.
   */
  'account.finishSignIn': defineHostCommand<Account | null>()(() =>
    z.object({ accountId: accountIdSchema.optional(), url: z.string().optional() }).strict(),
  ),
  /** Cancels a running test of a base URL and key: its caller gets `cancelled`, and nothing is kept. */
  'account.cancelTest': defineHostCommand<null>()(emptyInputSchema),
  /**
   * Answers the question about a key. `keep` opens the local mail with the key, `separate` starts a new account
   * (`invalid_input` with `isNewKey`).
   */
  'account.decide': defineHostCommand<Account | null>()(() =>
    z.object({ decision: z.enum(['keep', 'separate', 'cancel']), accountId: accountIdSchema.optional() }).strict(),
  ),
  /** Connects an account with local mail, with or without its key, or retries one that could not be opened. */
  'account.open': defineHostCommand<Account>()(() => z.object({ accountId: accountIdSchema }).strict()),
  /** Starts the local platform with the demo mailbox and opens it as an account. */
  'account.startDemo': defineHostCommand<Account>()(emptyInputSchema),
  /** Renames or recolours an account. An empty name removes the name. */
  'account.change': defineHostCommand<null>()(() =>
    z
      .object({
        accountId: accountIdSchema,
        name: z.string().trim().max(MAX_ACCOUNT_NAME_LENGTH).optional(),
        color: labelColorSchema.optional(),
      })
      .strict(),
  ),
  /** Moves an account before another one, or to the end if `before` is null or gone. */
  'account.move': defineHostCommand<null>()(() =>
    z.object({ accountId: accountIdSchema, before: accountIdSchema.nullable() }).strict(),
  ),
  'account.usage': defineHostCommand<AccountUsage>()(() => z.object({ accountId: accountIdSchema }).strict()),
  /** Forgets the key and closes the account. Its mail and unsent changes stay; the demo is removed. */
  'account.disconnect': defineHostCommand<null>()(() => z.object({ accountId: accountIdSchema }).strict()),
  /** Closes the account and removes its mail and unsent changes from this computer. The platform keeps its data. */
  'account.remove': defineHostCommand<null>()(() => z.object({ accountId: accountIdSchema }).strict()),
}

export interface AccountEvents {
  'account.changed': AccountsState
}
