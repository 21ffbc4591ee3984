import { existsSync } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../shared/log.ts'
import { DEMO_ACCOUNT_ID } from './stored-accounts.ts'
import type { AccountDirectories } from './account-directories.ts'
import { ensureDirectory } from './data-directory.ts'
import { startDemoPlatform, type DemoPlatform, type DemoProgress, type LaunchPlatform } from './demo-platform.ts'

interface DemoParts {
  readonly dataDirectory: string
  readonly folders: AccountDirectories
  readonly launchPlatform: LaunchPlatform
  readonly log: Log
  /** Called with null when done. */
  readonly onProgress: (progress: DemoProgress | null) => void
}

interface StartedDemo {
  readonly demo: DemoPlatform
  /** True if its mail was recreated and the old mail is gone. */
  readonly isRenewed: boolean
}

export class DemoAccount {
  readonly #parts: DemoParts
  readonly #directory: string
  readonly #file: string

  constructor(parts: DemoParts) {
    this.#parts = parts
    this.#directory = join(parts.dataDirectory, 'demo')
    this.#file = join(this.#directory, 'platform.sqlite')
  }

  /** Starts the demo. Damaged or missing mail is recreated and the local copy deleted, as it is only sample mail. */
  async start(): Promise<StartedDemo> {
    const copy = this.#parts.folders.of(DEMO_ACCOUNT_ID)
    const hasMail = await stat(this.#file).then(
      ({ size }) => size > 0,
      () => false,
    )
    const hasCopy = existsSync(copy)
    const started = hasMail
      ? await this.#launch().then(
          (demo) => ({ demo, isRenewed: false }),
          async () => ({ demo: await this.#renew(), isRenewed: hasCopy }),
        )
      : { demo: await this.#launch(), isRenewed: hasCopy }
    if (started.isRenewed) await rm(copy, { recursive: true, force: true })
    return started
  }

  async remove(): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true })
  }

  async #launch(): Promise<DemoPlatform> {
    const { launchPlatform, log, onProgress } = this.#parts
    await ensureDirectory(this.#directory)
    return startDemoPlatform(launchPlatform, this.#file, log, onProgress).finally(() => onProgress(null))
  }

  /** Replaces the demo's mail. If that fails, everything stays as it was. */
  async #renew(): Promise<DemoPlatform> {
    const aside = `${this.#directory}.set-aside`
    await rm(aside, { recursive: true, force: true })
    await rename(this.#directory, aside)
    try {
      const demo = await this.#launch()
      await rm(aside, { recursive: true, force: true })
      return demo
    } catch (thrown) {
      await this.remove()
      await rename(aside, this.#directory)
      throw thrown
    }
  }
}
