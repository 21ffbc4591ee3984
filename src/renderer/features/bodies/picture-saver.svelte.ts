import { untrack } from 'svelte'
import type { BodyOwner } from '../../../shared/contract.ts'
import type { Backend } from '../../kernel/backend.ts'
import { reportSavedFile } from '../../kernel/report-saved-file.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'
import type { DisplayedPicture } from './displayed-picture.ts'

/** Pictures shown in one frame. A message with signed parts has several frames. */
interface FramePictures {
  readonly frame: object
  readonly of: BodyOwner
  readonly pictures: readonly DisplayedPicture[]
}

const keyOf = (of: BodyOwner): string => JSON.stringify(of)

/** Saves displayed pictures. Blocked and failed ones aren't displayed, and so aren't offered. */
export class PictureSaver {
  readonly #backend: Backend
  readonly #toasts: ToastManager
  #drawn = $state.raw<readonly FramePictures[]>([])
  #choice = $state.raw<Omit<FramePictures, 'frame'> | null>(null)
  #isSaving = false

  constructor(backend: Backend, toasts: ToastManager) {
    this.#backend = backend
    this.#toasts = toasts
  }

  /** Pictures for the user to choose from, or null if none are offered. */
  get choice(): readonly DisplayedPicture[] | null {
    return this.#choice?.pictures ?? null
  }

  of(of: BodyOwner): readonly DisplayedPicture[] {
    const key = keyOf(of)
    return this.#drawn.filter((drawn) => keyOf(drawn.of) === key).flatMap(({ pictures }) => pictures)
  }

  /** Replaces the pictures registered for a frame. */
  draw(frame: object, of: BodyOwner, pictures: readonly DisplayedPicture[]): void {
    this.#drawn = [...this.#otherFrames(frame), { frame, of, pictures }]
  }

  leave(frame: object): void {
    this.#drawn = this.#otherFrames(frame)
  }

  /** Saves the message's only picture, or asks the user to choose one of several. */
  async ask(of: BodyOwner): Promise<void> {
    const pictures = this.of(of)
    const [only] = pictures
    if (pictures.length > 1) this.#choice = { of, pictures }
    else if (only !== undefined) await this.#save(of, only)
  }

  /** Saves the picture chosen from `choice`, or none for null. */
  async choose(picture: DisplayedPicture | null): Promise<void> {
    const choice = this.#choice
    this.#choice = null
    if (choice !== null && picture !== null) await this.#save(choice.of, picture)
  }

  /** Saves the picture with this `src` in the frame's document. Returns false if no message shows it. */
  savePointed(src: string): boolean {
    for (const { of, pictures } of this.#drawn) {
      const picture = pictures.find((each) => each.src === src)
      if (picture === undefined) continue
      void this.#save(of, picture)
      return true
    }
    return false
  }

  #otherFrames(frame: object): readonly FramePictures[] {
    return untrack(() => this.#drawn).filter((drawn) => drawn.frame !== frame)
  }

  async #save(of: BodyOwner, { url }: DisplayedPicture): Promise<void> {
    if (this.#isSaving) return
    this.#isSaving = true
    reportSavedFile(this.#toasts, await this.#backend.call('picture.save', { of, url }))
    this.#isSaving = false
  }
}
