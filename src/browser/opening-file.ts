import { rm, writeFile } from 'node:fs/promises'
import type { Door } from './door.ts'
import { openingPage } from './opening-pages.ts'

const LIFE_MS = 120_000

/**
 * The file with the page that opens the window, written whenever one is wanted, one after the other. A later one takes the
 * place of those before, whose tickets stay good for a browser that has read them, and which then have nothing to remove.
 */
export class OpeningFile {
  readonly #path: string
  readonly #origin: string
  readonly #door: Door
  #lastTicket: string | null = null
  #written: Promise<void> = Promise.resolve()

  constructor(path: string, origin: string, door: Door) {
    this.#path = path
    this.#origin = origin
    this.#door = door
  }

  /** @throws the system's error where it cannot be written */
  write(): Promise<void> {
    this.#written = this.#written.catch(() => undefined).then(() => this.#writeNow())
    return this.#written
  }

  async remove(): Promise<void> {
    await rm(this.#path, { force: true, recursive: true })
  }

  async #writeNow(): Promise<void> {
    let ending: NodeJS.Timeout | null = null
    const ticket = this.#door.issue(() => {
      if (ending !== null) clearTimeout(ending)
      this.#removeOf(ticket)
    })
    ending = setTimeout(() => {
      this.#door.revoke(ticket)
      this.#removeOf(ticket)
    }, LIFE_MS).unref()
    this.#lastTicket = ticket
    await this.remove()
    await writeFile(this.#path, openingPage(this.#origin, ticket), { mode: 0o600, flag: 'wx' })
  }

  #removeOf(ticket: string): void {
    if (this.#lastTicket === ticket) this.remove().catch(() => undefined)
  }
}
