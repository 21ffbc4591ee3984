import { openAccountReader, type AccountReader } from '../../engine/account-reader.ts'
import { AssistantFile } from '../../engine/assistants/assistant-file.ts'
import type { AccountHere } from '../accounts-here.ts'

/** The files of an account that are open, so that the next call need not open them: that takes longer than most answers. */
export class HeldAccount {
  readonly file: AssistantFile
  readonly #directory: string
  #reader: AccountReader | null = null

  /** @throws ProblemError, SQLite's errors where the file of what is turned on cannot be read */
  constructor({ directory }: AccountHere) {
    this.#directory = directory
    this.file = AssistantFile.join(directory)
  }

  /** The account's mail. @throws as `openAccountReader` */
  get reader(): AccountReader {
    this.#reader ??= openAccountReader(this.#directory)
    return this.#reader
  }

  /** Whether these are still the account's files: one that is repaired or removed has others, or none. */
  get isCurrent(): boolean {
    return this.file.isCurrent() && this.#reader?.isCurrent() !== false
  }

  close(): void {
    this.file.close()
    this.#reader?.close()
  }
}
