import type { QuestionManager } from '../../../../src/renderer/kernel/question-manager.svelte.ts'

/** Types and chooses in the question's dialog as a person does, and answers. */
export const answerQuestion = (questions: QuestionManager, typed?: string, color?: string): Promise<void> => {
  if (typed !== undefined) questions.typed = typed
  if (color !== undefined) questions.color = color
  return questions.answer()
}
