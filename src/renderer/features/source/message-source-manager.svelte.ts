import type { RawSource } from '../../../shared/attachments.ts'
import type { Problem } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { EmailTarget } from './email-target.ts'
import { SourceFinder } from './source-finder.svelte.ts'
import type { BodyOwner } from '../../../shared/contract.ts'
import { splitIntoBlocks, type SourceBlock } from './source-blocks.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly messageSource: MessageSourceManager
  }
}

/** Text of a raw message that arrives in pieces and can be read in the meantime. */
class SourceText {
  /** In order of arrival. */
  readonly pieces: string[] = []
  #blocks = $state.raw<readonly SourceBlock[]>([])
  #length = 0
  #isWhole = $state(false)
  #problem = $state.raw<Problem | null>(null)

  /** The blocks loaded so far, each drawn separately. */
  get blocks(): readonly SourceBlock[] {
    return this.#blocks
  }

  get isWhole(): boolean {
    return this.#isWhole
  }

  get problem(): Problem | null {
    return this.#problem
  }

  async read(
    backend: Pick<Backend, 'call'>,
    of: BodyOwner,
    { pieces, version }: Pick<RawSource, 'pieces' | 'version'>,
    signal: AbortSignal,
  ): Promise<void> {
    this.#problem = null
    while (this.pieces.length < pieces) {
      const piece = await backend.call('original.read', { of, version, place: this.pieces.length })
      if (signal.aborted) return
      if (!piece.ok) {
        this.#problem = piece.error
        return
      }
      this.pieces.push(piece.data)
      this.#blocks = [...this.#blocks, ...splitIntoBlocks(piece.data, this.#length)]
      this.#length += piece.data.length
    }
    this.#isWhole = true
  }
}

/** The Message source dialog: its e-mail, and the raw message as far as loaded. */
export class MessageSourceManager {
  readonly #backend: Backend
  #email = $state.raw<EmailTarget | null>(null)
  #source = $state.raw<RawSource | null>(null)
  #text = $state.raw(new SourceText())
  #problem = $state.raw<Problem | null>(null)
  #abortController = new AbortController()
  readonly find = new SourceFinder(() => this.#text)

  constructor(backend: Backend) {
    this.#backend = backend
  }

  get email(): EmailTarget | null {
    return this.#email
  }

  /** Null until found. */
  get source(): RawSource | null {
    return this.#source
  }

  get text(): SourceText {
    return this.#text
  }

  get problem(): Problem | null {
    return this.#problem
  }

  open(email: EmailTarget): void {
    this.close()
    this.#email = email
    void this.#open(email)
  }

  retry(): void {
    if (this.#email !== null) this.open(this.#email)
  }

  close(): void {
    this.#abortController.abort()
    this.#abortController = new AbortController()
    this.#email = null
    this.#source = null
    this.#problem = null
    this.#text = new SourceText()
    this.find.search('')
  }

  async #open(email: EmailTarget): Promise<void> {
    const { signal } = this.#abortController
    const result = await this.#backend.call('original.open', { of: email.of })
    if (signal.aborted) return
    if (!result.ok) {
      this.#problem = result.error
      return
    }
    this.#source = result.data
    await this.#text.read(this.#backend, email.of, result.data, signal)
  }
}
