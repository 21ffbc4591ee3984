import { SvelteMap } from 'svelte/reactivity'
import type { BodyOwner } from '../../../shared/contract.ts'
import type { Problem } from '../../../shared/result.ts'
import type { UnsubscribeRecord, UnsubscribeOffer, UnsubscribeMethod } from '../../../shared/unsubscribe.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { Clock } from '../../kernel/clock.svelte.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'
import type { LinksManager } from '../links/links-manager.svelte.ts'
import { describeUnsubscribeResult } from './describe-unsubscribe.ts'

export interface UnsubscribeQuestion {
  readonly of: BodyOwner
  readonly offer: UnsubscribeOffer
}

interface UnsubscribeDependencies {
  readonly toasts: Readonly<ToastManager>
  /** Starts a message to a mailto address, from a given address's inbox. @returns its draft ID, or null on failure */
  readonly write: (mailto: string, from: string | null) => Promise<string | null>
  readonly links: Pick<LinksManager, 'followButton'>
  readonly clock: Pick<Clock, 'style'>
}

type MethodOf<Kind extends UnsubscribeMethod['kind']> = Extract<UnsubscribeMethod, { readonly kind: Kind }>

/** Stands in for an empty subject or text: an empty message would need a confirmation before sending. */
const DEFAULT_TEXT = 'Unsubscribe'

const mailtoOf = ({ to, subject, text }: MethodOf<'mail'>): string => {
  const [about, words] = [subject, text].map((each) => encodeURIComponent(each === '' ? DEFAULT_TEXT : each))
  return `mailto:${encodeURIComponent(to)}?subject=${about ?? ''}&body=${words ?? ''}`
}

export class UnsubscribeManager {
  readonly #backend: Backend
  readonly #dependencies: UnsubscribeDependencies
  /** Offers of the displayed e-mails, keyed by the e-mail's JSON; null if the e-mail has none. */
  readonly #offers = new SvelteMap<string, UnsubscribeOffer | null>()
  question = $state.raw<UnsubscribeQuestion | null>(null)
  /** Outcome of the request if the server didn't accept it, or null. */
  asked = $state.raw<UnsubscribeRecord | null>(null)
  problem = $state.raw<Problem | null>(null)
  #busy = $state.raw<UnsubscribeQuestion | null>(null)

  constructor(backend: Backend, dependencies: UnsubscribeDependencies) {
    this.#backend = backend
    this.#dependencies = dependencies
    backend.on('unsubscribed.changed', () => {
      for (const key of this.#offers.keys()) void this.#read(key)
    })
  }

  offerOf(of: BodyOwner): UnsubscribeOffer | null {
    return this.#offers.get(JSON.stringify(of)) ?? null
  }

  /** Call when an e-mail is displayed. @returns a function to call when it no longer is */
  show(of: BodyOwner): () => void {
    const key = JSON.stringify(of)
    this.#offers.set(key, null)
    void this.#read(key)
    return () => void this.#offers.delete(key)
  }

  /** Rereads an e-mail's offer. Call after a sender check, which may have fetched the headers too. */
  look(of: BodyOwner): void {
    void this.#read(JSON.stringify(of))
  }

  async #read(key: string): Promise<void> {
    const answer = await this.#backend.call('unsubscribe.of', { of: JSON.parse(key) as BodyOwner })
    if (answer.ok && this.#offers.has(key)) this.#offers.set(key, answer.data)
  }

  get isBusy(): boolean {
    return this.#busy !== null && this.#busy === this.question
  }

  open(of: BodyOwner): void {
    const offer = this.offerOf(of)
    if (offer === null) return
    this.question = { of, offer }
    this.asked = null
    this.problem = null
  }

  close(): void {
    this.question = null
  }

  perform(method: UnsubscribeMethod): void {
    const question = this.question
    if (question === null || this.isBusy) return
    switch (method.kind) {
      case 'oneClick':
        void this.#post(question, method.url)
        return
      case 'mail':
        this.question = null
        void this.#write(question, method)
        return
      case 'page':
        this.question = null
        this.#dependencies.links.followButton(method.url, 'Open page')
    }
  }

  async #post(question: UnsubscribeQuestion, url: string): Promise<void> {
    this.#busy = question
    this.problem = null
    this.asked = null
    const answer = await this.#backend.call('unsubscribe.post', { of: question.of, url })
    if (this.#busy === question) this.#busy = null
    const { toasts, clock } = this.#dependencies
    const words = (asked: UnsubscribeRecord): string => describeUnsubscribeResult(asked, Date.now(), clock.style)
    if (this.question !== question) {
      // Closing the dialog doesn't cancel the request, so report the result in a toast.
      if (answer.ok) toasts.show(words(answer.data))
      else toasts.problem(answer.error)
    } else if (!answer.ok) this.problem = answer.error
    else if (answer.data.outcome === 'accepted') {
      this.question = null
      toasts.show(words(answer.data))
    } else this.asked = answer.data
  }

  async #write({ of, offer }: UnsubscribeQuestion, method: MethodOf<'mail'>): Promise<void> {
    const draftId = await this.#dependencies.write(mailtoOf(method), offer.recipient)
    if (draftId === null) return
    const noted = await this.#backend.call('unsubscribe.begun', { of, draftId })
    if (!noted.ok) this.#dependencies.toasts.problem(noted.error)
  }
}
