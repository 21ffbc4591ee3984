import type { KeptMailCount } from '../../../shared/contract.ts'
import type { Problem } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'
import { countOf } from '../../ui/format-quantity.ts'
import type { ChosenThreads } from './chosen-threads.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly keptDeletion: KeptDeletionManager
  }
}

/** What is to be deleted from this computer for good, once a person has read what that means. */
type Doomed =
  | {
      readonly what: 'threads'
      readonly chosen: ChosenThreads
      /** Null until it is known. */
      readonly count: KeptMailCount | null
      /** What a window shows is left before the mail is gone. */
      readonly leave: () => void
    }
  | { readonly what: 'received' | 'sent'; readonly id: string; readonly leave: () => void }

const inputOf = ({ inboxId, threads, matching }: ChosenThreads) =>
  matching === null
    ? { inboxId, threadIds: threads.map(({ id }) => id) }
    : { inboxId, matching: { query: matching.query, upTo: matching.upTo, except: [...matching.except] } }

/** Deletes mail that the platform has dropped, and asks before: nobody else has it, and nothing brings it back. */
export class KeptDeletionManager {
  readonly #backend: Backend
  readonly #toasts: ToastManager
  #doomed = $state.raw<Doomed | null>(null)
  #problem = $state.raw<Problem | null>(null)
  #isBusy = $state(false)

  constructor(backend: Backend, toasts: ToastManager) {
    this.#backend = backend
    this.#toasts = toasts
  }

  /** What the question is about; null where none is asked. */
  get doomed(): Doomed | null {
    return this.#doomed
  }

  get problem(): Problem | null {
    return this.#problem
  }

  get isBusy(): boolean {
    return this.#isBusy
  }

  /** Whether there is something to delete: known, and counted for threads. */
  get isReady(): boolean {
    const doomed = this.#doomed
    return doomed !== null && (doomed.what !== 'threads' || (doomed.count?.threads ?? 0) > 0)
  }

  /** @param leave goes on from what is deleted to what stays */
  askAboutThreads(chosen: ChosenThreads, leave: () => void): void {
    const doomed: Doomed = { what: 'threads', chosen, count: null, leave }
    this.#ask(doomed)
    void this.#backend.call('thread.countKept', inputOf(chosen)).then((result) => {
      if (this.#doomed !== doomed) return
      if (result.ok) this.#doomed = { ...doomed, count: result.data }
      else this.#problem = result.error
    })
  }

  askAboutEmail(what: 'received' | 'sent', id: string, leave: () => void): void {
    this.#ask({ what, id, leave })
  }

  close(): void {
    this.#doomed = null
    this.#problem = null
  }

  /** Deletes what was asked about. The question stays, with the reason, where that cannot be. */
  async confirm(): Promise<void> {
    const doomed = this.#doomed
    if (doomed === null || this.#isBusy || !this.isReady) return
    this.#isBusy = true
    this.#problem = null
    const result =
      doomed.what === 'threads'
        ? await this.#backend.call('thread.deleteKept', inputOf(doomed.chosen))
        : await this.#backend.call(doomed.what === 'received' ? 'receivedEmail.deleteKept' : 'sentEmail.deleteKept', {
            id: doomed.id,
          })
    this.#isBusy = false
    if (!result.ok) {
      this.#problem = result.error
      return
    }
    this.close()
    doomed.leave()
    this.#toasts.say(`Deleted ${countOf(result.data?.emails ?? 1, 'message')} from this computer.`)
  }

  #ask(doomed: Doomed): void {
    this.#problem = null
    this.#doomed = doomed
  }
}

/** What a person is told before it is done. */
export const describeDeletion = (count: KeptMailCount | null): string => {
  if (count === null) return 'Counting what is only on this computer…'
  const { threads, emails, others } = count
  const stay =
    others === 0
      ? ''
      : ` ${countOf(others, 'other thread')} that you selected ${others === 1 ? 'is' : 'are'} on the platform and ${others === 1 ? 'stays' : 'stay'}.`
  if (threads === 0) return `Nothing you selected is only on this computer.${stay}`
  const what = `${countOf(emails, 'message')} of ${countOf(threads, 'thread')}, with all files`
  return `${what}. The platform has deleted ${emails === 1 ? 'it' : 'them'}: nobody else has ${emails === 1 ? 'it' : 'them'}. You cannot undo this.${stay}`
}
