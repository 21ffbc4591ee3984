import { existsSync } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DEMO_ACCOUNT_ID } from './stored-accounts.ts'

/** Prefix of a removed account's folder until it is deleted. */
const REMOVED = '.removed-'

export class AccountDirectories {
  readonly #directory: string

  constructor(dataDirectory: string) {
    this.#directory = join(dataDirectory, 'accounts')
  }

  of(accountId: string): string {
    return join(this.#directory, accountId)
  }

  /** Account folders without settings, left after the settings were lost. */
  async stray(isKnown: (accountId: string) => boolean): Promise<readonly string[]> {
    const entries = await readdir(this.#directory, { withFileTypes: true }).catch(() => [])
    return entries
      .filter((entry) => entry.isDirectory() && entry.name !== DEMO_ACCOUNT_ID && !entry.name.startsWith(REMOVED))
      .map(({ name }) => name)
      .filter((name) => !isKnown(name))
  }

  /** Renames the folder first, so a crash half-way cannot leave it looking like an account. */
  async remove(accountId: string): Promise<void> {
    const aside = this.of(`${REMOVED}${accountId}`)
    await rm(aside, { recursive: true, force: true })
    if (existsSync(this.of(accountId))) await rename(this.of(accountId), aside)
    await rm(aside, { recursive: true, force: true })
  }

  async finishRemovals(): Promise<void> {
    const names = await readdir(this.#directory).catch(() => [])
    for (const name of names.filter((each) => each.startsWith(REMOVED))) {
      await rm(this.of(name), { recursive: true, force: true })
    }
  }
}
