/** The accounts of this computer. */
import { z } from 'zod'
import { LONGEST_ACCOUNT_NAME, type Account } from '../model.ts'
import type { Problem } from '../result.ts'
import { host } from './command.ts'
import { accountId, labelColor, nothing } from './inputs.ts'

/** Mail of an account on this computer. */
export interface AccountName {
  readonly id: string
  /** Null for a folder of which nothing else is known. */
  readonly baseUrl: string | null
  /** Of its inboxes. */
  readonly addresses: readonly string[]
}

/** A key that works, and that a person has to say something about before it is used. */
export interface KeyQuestion {
  readonly baseUrl: string
  /** Of the inboxes that the key opens. */
  readonly addresses: readonly string[]
  /**
   * Whether the key is known to be another key of the one candidate, as its inboxes are that account's: then it can take the
   * place of the key before it, or be left. Otherwise Linnet cannot tell whether it belongs to mail that is here.
   */
  readonly isNewKey: boolean
  readonly candidates: readonly AccountName[]
}

/** An account that is connected: open, or not for the reason that it names. */
export interface ConnectedAccount extends Account {
  /** Of its inboxes, as they were last seen. */
  readonly addresses: readonly string[]
  /** Whether its mail can be read. */
  readonly isOpen: boolean
  /** False while its key waits to be tried, as the platform cannot be reached. */
  readonly isKeyTried: boolean
  /** Whether its key comes from the environment, for this run alone. */
  readonly isGiven: boolean
  /** Why it could not be opened, or its key not be read; null where all is well. */
  readonly problem: Problem | null
}

/** The accounts of this computer. */
export interface AccountsState {
  /** Those that are connected, in the person's order. */
  readonly accounts: readonly ConnectedAccount[]
  /** Where keys are kept: said on the screen before a person types one. */
  readonly keyStorage: 'keychain' | 'memory'
  /** What is wrong beside single accounts, with the settings perhaps; null where all is well. */
  readonly problem: Problem | null
  /** The platforms' accounts that are not connected, though their mail is on this computer. */
  readonly known: readonly AccountName[]
  /** Null where there is nothing to decide. */
  readonly question: KeyQuestion | null
  /** Messages of the demo that are made, while it starts for the first time; null at all other times. */
  readonly demoProgress: { readonly done: number; readonly total: number } | null
}

/** What goes with an account that is removed. */
export interface AccountUsage {
  /** Of all its files on this computer. */
  readonly bytes: number
  /** Changes that were made here and that the platform has not got. */
  readonly unsentChanges: number
  /** Drafts that are not on the platform, or not as they are here, or are about to be sent. */
  readonly drafts: number
  /** Threads that are nowhere else, as the platform does not have them any more. */
  readonly goneThreads: number
}

const apiKey = z.string().trim().min(1).max(1024)

export const accountCommands = {
  /** The accounts, and whether there are any. */
  'account.state': host<AccountsState>()(nothing),
  /**
   * Tests the base URL and the key, keeps them where the test passes, and opens the account beside those that are open: the
   * one that is here where the key is its own. Offline, an account that is here opens with a key that is tried and kept later.
   * Null where the person has a question to answer first: `account.state` holds it.
   */
  'account.connect': host<Account | null>()(() =>
    z.object({ baseUrl: z.string().trim().min(1).max(2048), apiKey }).strict(),
  ),
  /** Gives an account another key; what is cached and unsent stays. `isTried`: false where the platform was not reached. */
  'account.setKey': host<{ readonly isTried: boolean }>()(() => z.object({ accountId, apiKey }).strict()),
  /** Ends the test of a base URL and a key that is under way: what asked for it answers `cancelled`, and nothing is kept. */
  'account.cancelTest': host<null>()(nothing),
  /**
   * Answers the question of `account.state`: `keep` opens the mail that is here with the key, `separate` new mail. What
   * belongs to an account that is here (`isNewKey`) cannot be kept apart from it: `invalid_input`.
   */
  'account.decide': host<Account | null>()(() =>
    z.object({ decision: z.enum(['keep', 'separate', 'cancel']), accountId: accountId.optional() }).strict(),
  ),
  /** Connects an account whose mail is on this computer, with its key or without, or opens one that could not be opened. */
  'account.open': host<Account>()(() => z.object({ accountId }).strict()),
  /** Starts the local mail platform with the demo mailbox and opens it as an account. */
  'account.startDemo': host<Account>()(nothing),
  /** Names an account, or gives it another colour. A name of nothing takes the name away. */
  'account.change': host<null>()(() =>
    z
      .object({ accountId, name: z.string().trim().max(LONGEST_ACCOUNT_NAME).optional(), color: labelColor.optional() })
      .strict(),
  ),
  /** Puts an account before another one; at the end where that is null or not there any more. */
  'account.move': host<null>()(() => z.object({ accountId, before: accountId.nullable() }).strict()),
  /** What would go with an account. */
  'account.usage': host<AccountUsage>()(() => z.object({ accountId }).strict()),
  /** Forgets the key and closes the account. Its mail stays, and what is unsent; the demo's is removed. */
  'account.disconnect': host<null>()(() => z.object({ accountId }).strict()),
  /** Closes the account and removes it from this computer, with its mail and what is unsent. The platform keeps what it has. */
  'account.remove': host<null>()(() => z.object({ accountId }).strict()),
}

export interface AccountEvents {
  'account.changed': AccountsState
}
