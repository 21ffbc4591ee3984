import { setTimeout as wait } from 'node:timers/promises'
import { quoteUntrustedText } from '../../engine/mail/assistants/quoting.ts'
import { toProblem } from '../../shared/result.ts'
import type { LocalAccount } from '../local-accounts.ts'
import { RunningLinnet } from '../running-linnet.ts'
import { CommandError } from '../terminal.ts'
import { ReadableAccounts } from './readable-mail.ts'
import type { ToolResult, ToolContext } from './tool.ts'

/** Throttle for notifying windows. */
const NOTIFY_DELAY_MS = 100
/** Maximum characters of a response, and of all argument values, in the log. */
const MAX_LOGGED_CHARACTERS = 360

/** Shortens a program's arguments for the log. Short values leave their space to long ones, which share it evenly. */
const shorten = (input: unknown): string => {
  const values = Object.entries((input ?? {}) as Readonly<Record<string, unknown>>)
    .slice(0, 10)
    .map(([name, value]) => ({ name, value, text: typeof value === 'string' ? value : JSON.stringify(value) }))
  const lengths = values.map(({ text }) => text.length).toSorted((one, other) => one - other)
  let [left, share] = [MAX_LOGGED_CHARACTERS, 0]
  for (const [at, length] of lengths.entries()) {
    share = Math.floor(left / (values.length - at))
    left -= Math.min(length, share)
  }
  const noted = values.map(({ name, value, text }) => [
    quoteUntrustedText(name, 30),
    text === value || text.length > share ? quoteUntrustedText(text, share) : value,
  ])
  return JSON.stringify(Object.fromEntries(noted))
}

export type ToolCallOutcome = { readonly data: ToolResult['data'] } | { readonly refusal: string }

const describeError = (thrown: unknown): string =>
  thrown instanceof CommandError ? [thrown.message, ...thrown.details].join('\n') : toProblem(thrown).message

/** One program's calls. Each uses the access granted at that moment and is logged before it is answered. */
export class ToolCalls {
  readonly #dataDirectory: string
  readonly #accounts: ReadableAccounts
  readonly #written = new Set<string>()
  #notifying: Promise<void> | null = null

  constructor(dataDirectory: string, only: string | undefined) {
    this.#dataDirectory = dataDirectory
    this.#accounts = new ReadableAccounts(dataDirectory, only)
  }

  /** Opens the accounts and runs background work. Errors are ignored; the first call reports them. */
  async prepare(work: (asked: ToolContext) => unknown): Promise<void> {
    await this.#accounts.during((readable) => work({ ...readable, client: '' })).catch(() => undefined)
  }

  /** @param client the name that the program gives itself @param name the call's name in the log */
  async answer(
    client: string,
    name: string,
    input: unknown,
    work: (asked: ToolContext) => ToolResult | Promise<ToolResult>,
  ): Promise<ToolCallOutcome> {
    const asked = shorten(input)
    const note = (accounts: readonly LocalAccount[], words: string, isRefused: boolean): void => {
      const call = {
        at: Date.now(),
        client,
        tool: quoteUntrustedText(name, 100),
        asked,
        answer: quoteUntrustedText(words, MAX_LOGGED_CHARACTERS),
        isRefused,
      }
      this.#accounts.note(accounts, call)
      this.#notify(accounts)
    }
    try {
      return await this.#accounts.during(async (readable) => {
        try {
          const { data, said, accounts: about } = await work({ ...readable, client })
          // Log before responding: no program gets data without a log entry.
          note(about, said, false)
          return { data }
        } catch (thrown) {
          const refusal = describeError(thrown)
          note(readable.logged, refusal, true)
          return { refusal }
        }
      })
    } catch (thrown) {
      return { refusal: describeError(thrown) }
    }
  }

  /** Closes the files after windows are notified of the last call. */
  async close(): Promise<void> {
    await this.#notifying
    this.#accounts.close()
  }

  #notify(accounts: readonly LocalAccount[]): void {
    for (const { id } of accounts) this.#written.add(id)
    if (this.#written.size > 0) this.#notifying ??= this.#notifySoon()
  }

  /** Tells the running Linnet to reload the log and the proposals. If none is running, there is nothing to reload. */
  async #notifySoon(): Promise<void> {
    await wait(NOTIFY_DELAY_MS)
    this.#notifying = null
    const ids = [...this.#written]
    this.#written.clear()
    const running = await RunningLinnet.find(this.#dataDirectory)
    if (running === null) return
    await Promise.all(ids.map((id) => running.ask(id, 'assistant.written', {})))
    running.close()
  }
}
