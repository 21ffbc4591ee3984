import type { Problem } from '../../shared/result.ts'

/** A confirmation, or a question for a name. */
export interface Question {
  readonly title: string
  /** May be a getter that reads state, for what is known later. */
  readonly description?: string | undefined
  /** Paragraphs in front of the buttons. */
  readonly details?: readonly string[]
  /** Label of the button that answers. */
  readonly action: string
  readonly isDestructive?: true
  readonly field?: {
    readonly label: string
    readonly value: string
    readonly maxlength?: number
    readonly hint?: string
    readonly placeholder?: string
    readonly isRequired?: true
    /** Reason why the text can't be used, or null. */
    readonly faultOf?: (typed: string) => string | null
  }
  /** Fine print below the fields. */
  readonly note?: string
  readonly color?: { readonly value: string; readonly isFirst: boolean }
  /** False while there is nothing to do, which disables the button. */
  readonly isPossible?: (typed: string) => boolean
  /** @returns the problem, with which the dialog stays open, or null */
  readonly answer: (typed: string, color: string) => Promise<Problem | null>
  /** Called after an answer without a problem, once the dialog is closed. */
  readonly onDone?: () => void
}

/** The dialog with the latest question. */
export class QuestionManager {
  isOpen = $state(false)
  typed = $state('')
  color = $state('')
  /** The question in the dialog, or the last one. */
  asked = $state.raw<Question | null>(null)
  #problem = $state.raw<Problem | null>(null)
  #answering = $state.raw<Question | null>(null)

  get isBusy(): boolean {
    return this.#answering !== null && this.#answering === this.asked
  }

  /** The engine's objection to the text, or the reason why the text can't be used; shown at the field. */
  get fault(): string | null {
    const { field } = this.asked ?? {}
    const refused = this.#problem?.code === 'invalid_input' ? this.#problem.message : null
    return field?.faultOf === undefined ? null : (field.faultOf(this.typed) ?? refused)
  }

  /** Any other problem. */
  get problem(): Problem | null {
    return this.fault === this.#problem?.message ? null : this.#problem
  }

  ask(question: Question): void {
    this.asked = question
    this.#problem = null
    this.typed = question.field?.value ?? ''
    this.color = question.color?.value ?? ''
    this.isOpen = true
  }

  close(): void {
    this.isOpen = false
  }

  /** Shows a problem in the dialog of this question, if it is still open. */
  fail(question: Question, problem: Problem): void {
    if (this.isOpen && question === this.asked) this.#problem = problem
  }

  async answer(): Promise<void> {
    const question = this.asked
    if (question === null || this.isBusy) return
    const { faultOf = () => null } = question.field ?? {}
    if (question.isPossible?.(this.typed) === false || faultOf(this.typed) !== null) return
    this.#answering = question
    this.#problem = null
    const problem = await question.answer(this.typed, this.color)
    if (this.#answering === question) this.#answering = null
    if (problem !== null) {
      this.fail(question, problem)
      return
    }
    if (question === this.asked) this.close()
    question.onDone?.()
  }
}
