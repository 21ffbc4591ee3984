import { existsSync } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DEMO_ID } from './account-settings.ts'

/** The folders of accounts that were removed are called so until they are empty. */
const REMOVED = '.removed-'

export class AccountFolders {
  readonly #all: string

  constructor(dataDirectory: string) {
    this.#all = join(dataDirectory, 'accounts')
  }

  of(accountId: string): string {
    return join(this.#all, accountId)
  }

  /** Folders without settings, from before these were lost. */
  async stray(isKnown: (accountId: string) => boolean): Promise<readonly string[]> {
    const entries = await readdir(this.#all, { withFileTypes: true }).catch(() => [])
    return entries
      .filter((entry) => entry.isDirectory() && entry.name !== DEMO_ID && !entry.name.startsWith(REMOVED))
      .map(({ name }) => name)
      .filter((name) => !isKnown(name))
  }

  /** A folder that is called removed is none of anybody's, also where an end comes before it is empty. */
  async remove(accountId: string): Promise<void> {
    const aside = this.of(`${REMOVED}${accountId}`)
    await rm(aside, { recursive: true, force: true })
    if (existsSync(this.of(accountId))) await rename(this.of(accountId), aside)
    await rm(aside, { recursive: true, force: true })
  }

  async finishRemovals(): Promise<void> {
    const names = await readdir(this.#all).catch(() => [])
    for (const name of names.filter((each) => each.startsWith(REMOVED))) {
      await rm(this.of(name), { recursive: true, force: true })
    }
  }
}
