import type { AnsweredElsewhere } from '../../../shared/writing.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { DraftEditing } from './draft-editing.svelte.ts'

export const NOTHING_ELSEWHERE: AnsweredElsewhere = { answers: [], drafts: [] }

/** How a message was to leave when a person was asked about it. */
export interface HeldSending {
  readonly archive: boolean
  /** Milliseconds since the epoch; null for at once. */
  readonly scheduledAt: number | null
}

/** What others answer in the thread of a reply while that is written, and what the person knows of it. */
export class Elsewhere {
  readonly #backend: Pick<Backend, 'call'>
  readonly #editing: Pick<DraftEditing, 'draftId' | 'kind' | 'target'>
  #found: AnsweredElsewhere = $state.raw(NOTHING_ELSEWHERE)
  /** What the person has looked at, or sends in spite of. */
  #agreed: readonly string[] = $state.raw([])
  /** That somebody drafts is one thing to know, however often they change what they have. */
  #isDraftingAgreed = $state(false)
  /** The person is asked before it leaves; null where they are not. */
  held: HeldSending | null = $state.raw(null)

  constructor(backend: Pick<Backend, 'call'>, editing: Pick<DraftEditing, 'draftId' | 'kind' | 'target'>) {
    this.#backend = backend
    this.#editing = editing
  }

  /** All that is known; reactive. */
  get found(): AnsweredElsewhere {
    return this.#found
  }

  /** What of it the person has not agreed to; reactive. */
  get news(): AnsweredElsewhere {
    const { answers, drafts } = this.#found
    return {
      answers: answers.filter(({ emailId }) => !this.#agreed.includes(emailId)),
      drafts: this.#isDraftingAgreed ? [] : drafts,
    }
  }

  get hasNews(): boolean {
    const { answers, drafts } = this.news
    return answers.length + drafts.length > 0
  }

  /** The person knows, and means to answer all the same. */
  agree(): void {
    const { answers, drafts } = this.#found
    this.#agreed = [...this.#agreed, ...answers.map(({ emailId }) => emailId)]
    this.#isDraftingAgreed ||= drafts.length > 0
    this.held = null
  }

  /** Whether the person is to be asked before it is sent. What they do not know yet is asked about without a look. */
  async isToAsk(): Promise<boolean> {
    if (!this.hasNews) await this.look(false)
    return this.hasNews
  }

  /** Reads what is known, and has the platform asked before unless `isAsKnown`. */
  async look(isAsKnown: boolean): Promise<void> {
    const { draftId, kind, target } = this.#editing
    if (target === null || (kind !== 'reply' && kind !== 'replyAll')) return
    const found = await this.#backend.call('draft.answeredElsewhere', { draftId, isAsKnown })
    // What cannot be known keeps nobody from sending.
    if (found.ok && JSON.stringify(found.data) !== JSON.stringify(this.#found)) this.#found = found.data
  }
}
