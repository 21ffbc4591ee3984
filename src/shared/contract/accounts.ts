/** The accounts of this computer. */
import { z } from 'zod'
import { LONGEST_ACCOUNT_NAME, type Account } from '../model.ts'
import type { Problem } from '../result.ts'
import { host } from './command.ts'
import { accountId, apiKey, credentials, labelColor, nothing } from './inputs.ts'

/** An account whose mail is on this computer. */
export interface AccountName {
  readonly id: string
  /** Null for a folder about which nothing else is known. */
  readonly baseUrl: string | null
  /** Of its inboxes. */
  readonly addresses: readonly string[]
}

/** A working key about which the person has to decide something before it is used. */
export interface KeyQuestion {
  readonly baseUrl: string
  /** Of the inboxes that the key opens. */
  readonly addresses: readonly string[]
  /**
   * Whether this is a new key of the one candidate, because its inboxes are that account's: it can replace the key
   * before it, or be dropped. Otherwise Linnet cannot tell whether it belongs to mail that is here.
   */
  readonly isNewKey: boolean
  readonly candidates: readonly AccountName[]
}

/** A connected account: open, or closed for the reason that it gives. */
export interface ConnectedAccount extends Account {
  /** Of its inboxes, as last seen. */
  readonly addresses: readonly string[]
  /** Whether its mail can be read. */
  readonly isOpen: boolean
  /** False while its key is untested because the platform is unreachable. */
  readonly isKeyTried: boolean
  /** Whether the person signed in by their browser, so that no key is asked of them. */
  readonly isSignedIn: boolean
  /** Whether its key comes from the environment, for this run only. */
  readonly isGiven: boolean
  /** Why it could not be opened, or its key not be read; null if neither is so. */
  readonly problem: Problem | null
}

/** All accounts of this computer. */
export interface AccountsState {
  /** Connected accounts, in the person's order. */
  readonly accounts: readonly ConnectedAccount[]
  /** Where keys are kept: shown before a person types one. */
  readonly keyStorage: 'keychain' | 'memory'
  /** A problem of no single account, such as unreadable settings; null if there is none. */
  readonly problem: Problem | null
  /** Accounts that are not connected, but have mail on this computer. */
  readonly known: readonly AccountName[]
  /** Null if there is nothing to decide. */
  readonly question: KeyQuestion | null
  /** Demo messages made so far, while the demo starts for the first time; null at all other times. */
  readonly demoProgress: { readonly done: number; readonly total: number } | null
}

/** What is lost with an account that is removed. */
export interface AccountUsage {
  /** Of all its files on this computer. */
  readonly bytes: number
  /** Changes that were made here and have not reached the platform. */
  readonly unsentChanges: number
  /** Drafts that are not on the platform, differ from it, or are about to be sent. */
  readonly drafts: number
  /** Threads that exist only here, because the platform has dropped them. */
  readonly goneThreads: number
}

export const accountCommands = {
  /** All accounts. */
  'account.state': host<AccountsState>()(nothing),
  /**
   * Tests the base URL and the key, and keeps them if the test passes. Opens the account beside those that are open, or
   * the one that is here if the key is its own. Offline, an account that is here opens, and its key is tested and kept
   * later. Null if the person has a question to answer first: see `account.state`.
   */
  'account.connect': host<Account | null>()(credentials),
  /**
   * Gives an account another key; what is cached and unsent stays. `isTried` is false if the platform was not reached.
   */
  'account.setKey': host<{ readonly isTried: boolean }>()(() => z.object({ accountId, apiKey }).strict()),
  /**
   * Begins a sign-in by the person's browser, which opens the page at `url`. `not_found` if the platform offers none. A
   * sign-in that waits is cancelled.
   */
  'account.beginSignIn': host<{ readonly url: string }>()(() => credentials.pick({ baseUrl: true })),
  /**
   * Waits for the browser to come back, then connects as `account.connect` does; with `accountId` as `account.setKey`
   * does. With `url`, `cancelled` unless that page's sign-in is the latest. `refused` if the person said no, or if the
   * response belongs to another sign-in. `account.cancelTest` ends it.
   */
  'account.finishSignIn': host<Account | null>()(() =>
    z.object({ accountId: accountId.optional(), url: z.string().optional() }).strict(),
  ),
  /** Cancels a running test of a base URL and a key: its caller gets `cancelled`, and nothing is kept. */
  'account.cancelTest': host<null>()(nothing),
  /**
   * Answers the question of `account.state`: `keep` opens the mail that is here with the key, `separate` starts a new
   * account. With `isNewKey` there is no `separate`: `invalid_input`.
   */
  'account.decide': host<Account | null>()(() =>
    z.object({ decision: z.enum(['keep', 'separate', 'cancel']), accountId: accountId.optional() }).strict(),
  ),
  /**
   * Connects an account whose mail is on this computer, with or without its key, or retries one that could not be
   * opened.
   */
  'account.open': host<Account>()(() => z.object({ accountId }).strict()),
  /** Starts the local mail platform with the demo mailbox and opens it as an account. */
  'account.startDemo': host<Account>()(nothing),
  /** Names an account, or changes its colour. An empty name removes the name. */
  'account.change': host<null>()(() =>
    z
      .object({ accountId, name: z.string().trim().max(LONGEST_ACCOUNT_NAME).optional(), color: labelColor.optional() })
      .strict(),
  ),
  /** Moves an account before another; to the end if that is null or gone. */
  'account.move': host<null>()(() => z.object({ accountId, before: accountId.nullable() }).strict()),
  /** What removing an account would lose. */
  'account.usage': host<AccountUsage>()(() => z.object({ accountId }).strict()),
  /** Forgets the key and closes the account. Its mail and what is unsent stay; the demo is removed. */
  'account.disconnect': host<null>()(() => z.object({ accountId }).strict()),
  /** Closes the account and removes its mail and unsent changes from this computer. The platform keeps what it has. */
  'account.remove': host<null>()(() => z.object({ accountId }).strict()),
}

export interface AccountEvents {
  'account.changed': AccountsState
}
