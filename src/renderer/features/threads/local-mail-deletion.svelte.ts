import type { LocalMailCount } from '../../../shared/contract.ts'
import type { Problem } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'
import { formatCount } from '../../ui/format-quantity.ts'
import type { ChosenThreads } from './chosen-threads.ts'

/** Mail to delete permanently from this computer, after confirmation. */
type DeletionTarget =
  | {
      readonly what: 'threads'
      readonly chosen: ChosenThreads
      /** Null while counting. */
      readonly count: LocalMailCount | null
      /** Navigates away from the mail that is deleted. */
      readonly onDeleted: () => void
    }
  | { readonly what: 'received' | 'sent'; readonly id: string; readonly onDeleted: () => void }

const inputOf = ({ inboxId, threads, matching }: ChosenThreads) =>
  matching === null
    ? { inboxId, threadIds: threads.map(({ id }) => id) }
    : { inboxId, matching: { query: matching.query, upTo: matching.upTo, except: [...matching.except] } }

/** Deletes mail that the platform has dropped, after confirmation: no other copy exists, and it cannot be undone. */
export class LocalMailDeletionManager {
  readonly #backend: Backend
  readonly #toasts: ToastManager
  #toDelete = $state.raw<DeletionTarget | null>(null)
  #problem = $state.raw<Problem | null>(null)
  #isBusy = $state(false)

  constructor(backend: Backend, toasts: ToastManager) {
    this.#backend = backend
    this.#toasts = toasts
  }

  get toDelete(): DeletionTarget | null {
    return this.#toDelete
  }

  get problem(): Problem | null {
    return this.#problem
  }

  get isBusy(): boolean {
    return this.#isBusy
  }

  /** True if there is something to delete; threads have to be counted first. */
  get isReady(): boolean {
    const toDelete = this.#toDelete
    return toDelete !== null && (toDelete.what !== 'threads' || (toDelete.count?.threads ?? 0) > 0)
  }

  /** @param onDeleted navigates away from the deleted threads */
  askAboutThreads(chosen: ChosenThreads, onDeleted: () => void): void {
    const toDelete: DeletionTarget = { what: 'threads', chosen, count: null, onDeleted }
    this.#ask(toDelete)
    void this.#backend.call('thread.countKept', inputOf(chosen)).then((result) => {
      if (this.#toDelete !== toDelete) return
      if (result.ok) this.#toDelete = { ...toDelete, count: result.data }
      else this.#problem = result.error
    })
  }

  askAboutEmail(what: 'received' | 'sent', id: string, onDeleted: () => void): void {
    this.#ask({ what, id, onDeleted })
  }

  close(): void {
    this.#toDelete = null
    this.#problem = null
  }

  /** Deletes the mail in question. On failure the dialog stays and shows the reason. */
  async confirm(): Promise<void> {
    const toDelete = this.#toDelete
    if (toDelete === null || this.#isBusy || !this.isReady) return
    this.#isBusy = true
    this.#problem = null
    const result =
      toDelete.what === 'threads'
        ? await this.#backend.call('thread.deleteKept', inputOf(toDelete.chosen))
        : await this.#backend.call(toDelete.what === 'received' ? 'receivedEmail.deleteKept' : 'sentEmail.deleteKept', {
            id: toDelete.id,
          })
    this.#isBusy = false
    if (!result.ok) {
      this.#problem = result.error
      return
    }
    this.close()
    toDelete.onDeleted()
    this.#toasts.show(`Deleted ${formatCount(result.data?.emails ?? 1, 'message')} from this computer.`)
  }

  #ask(toDelete: DeletionTarget): void {
    this.#problem = null
    this.#toDelete = toDelete
  }
}

export const describeDeletion = (count: LocalMailCount | null): string => {
  if (count === null) return 'Counting messages stored only on this computer…'
  const { threads, emails, others } = count
  const stay =
    others === 0
      ? ''
      : ` ${formatCount(others, 'other thread')} you selected ${others === 1 ? 'is' : 'are'} on the platform and ${others === 1 ? 'stays' : 'stay'} there.`
  if (threads === 0) return `Nothing you selected is stored only on this computer.${stay}`
  const what = `${formatCount(emails, 'message')} in ${formatCount(threads, 'thread')}, with all attachments`
  return `${what}. The platform has deleted ${emails === 1 ? 'it, so this is the only copy' : 'them, so these are the only copies'}. You cannot undo this.${stay}`
}
