import type { RawSource } from '../../../shared/attachments.ts'
import type { Problem } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { EmailTarget } from './email-target.ts'
import type { BodyOwner } from '../../../shared/contract.ts'
import { FindManager } from '../bodies/find-manager.svelte.ts'

/** UTF-16 units of a block, small enough to lay out and search in one frame. */
const MAX_BLOCK_LENGTH = 32_000

/** Cuts a source at line ends, so that no match crosses a cut. Only longer lines are cut elsewhere. */
export const splitIntoBlocks = (text: string): readonly string[] => {
  const blocks: string[] = []
  for (let start = 0; start < text.length;) {
    const most = start + MAX_BLOCK_LENGTH
    const lineEnd = text.length <= most ? text.length : text.lastIndexOf('\n', most - 1) + 1
    // Never split a surrogate pair.
    const cut = /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most
    const end = lineEnd > start ? lineEnd : cut
    blocks.push(text.slice(start, end))
    start = end
  }
  return blocks
}

/** Text of a raw message that arrives in pieces and can be read in the meantime. */
class SourceText {
  #blocks = $state.raw<readonly string[]>([])
  #isWhole = $state(false)
  #problem = $state.raw<Problem | null>(null)

  /** The text loaded so far, in parts that are laid out and searched separately. */
  get blocks(): readonly string[] {
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
    for (let place = 0; place < pieces; place += 1) {
      const piece = await backend.call('original.read', { of, version, place })
      if (signal.aborted) return
      if (!piece.ok) {
        this.#problem = piece.error
        return
      }
      // The last line may continue in the next piece.
      const open = this.#blocks.at(-1) ?? ''
      this.#blocks = [...this.#blocks.slice(0, -1), ...splitIntoBlocks(open + piece.data)]
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
  readonly find = new FindManager()

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
