import type { BodyOwner } from '../../../shared/contract.ts'
import type { OriginalSource } from '../../../shared/attachments.ts'
import type { Problem } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import { blocksOf, type SourceBlock } from './source-blocks.ts'

/** The text of an original, which comes in piece by piece: its beginning is there to be read while the rest follows. */
export class SourceText {
  /** As they came, one after the other. */
  readonly pieces: string[] = []
  #blocks = $state.raw<readonly SourceBlock[]>([])
  #length = 0
  #isWhole = $state(false)
  #problem = $state.raw<Problem | null>(null)

  /** What is drawn by itself, as far as it has come. */
  get blocks(): readonly SourceBlock[] {
    return this.#blocks
  }

  get isWhole(): boolean {
    return this.#isWhole
  }

  /** Why there is no more of it; null while there is. */
  get problem(): Problem | null {
    return this.#problem
  }

  /** @param signal ends it: what nobody looks at any more is not read */
  async read(
    backend: Pick<Backend, 'call'>,
    of: BodyOwner,
    { pieces, version }: Pick<OriginalSource, 'pieces' | 'version'>,
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
      this.#blocks = [...this.#blocks, ...blocksOf(piece.data, this.#length)]
      this.#length += piece.data.length
    }
    this.#isWhole = true
  }
}
