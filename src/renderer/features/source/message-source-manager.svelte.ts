import type { RawSource } from '../../../shared/attachments.ts'
import type { Problem } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { EmailTarget } from './email-target.ts'
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

/** An e-mail's raw message, as far as loaded. */
interface ShownSource {
  readonly email: EmailTarget
  /** Null until found. */
  readonly source: RawSource | null
  /** The text loaded so far, in parts that are laid out and searched separately. */
  readonly blocks: readonly string[]
  readonly isWhole: boolean
  readonly problem: Problem | null
}

export class MessageSourceManager {
  readonly #backend: Backend
  shown = $state.raw<ShownSource | null>(null)
  readonly find = new FindManager()

  constructor(backend: Backend) {
    this.#backend = backend
  }

  open(email: EmailTarget): void {
    void this.#load({ email, source: null, blocks: [], isWhole: false, problem: null })
  }

  close(): void {
    this.shown = null
  }

  async #load(shown: ShownSource): Promise<void> {
    const { of } = shown.email
    this.shown = shown
    /** @returns false once the dialog is closed or shows another e-mail */
    const change = (changes: Partial<ShownSource>): boolean => {
      if (this.shown !== shown) return false
      shown = { ...shown, ...changes }
      this.shown = shown
      return true
    }
    const opened = await this.#backend.call('original.open', { of })
    if (!change(opened.ok ? { source: opened.data } : { problem: opened.error }) || !opened.ok) return
    const { pieces, version } = opened.data
    for (let place = 0; place < pieces; place += 1) {
      const piece = await this.#backend.call('original.read', { of, version, place })
      if (!piece.ok) {
        change({ problem: piece.error })
        return
      }
      // The last line may continue in the next piece.
      const open = shown.blocks.at(-1) ?? ''
      if (!change({ blocks: [...shown.blocks.slice(0, -1), ...splitIntoBlocks(open + piece.data)] })) return
    }
    change({ isWhole: true })
  }
}

export class PrintPreviewManager {
  /** E-mails of the preview, oldest first. Null without a preview. */
  emails = $state.raw<readonly EmailTarget[] | null>(null)

  show(emails: PrintPreviewManager['emails']): void {
    this.emails = emails
  }
}
