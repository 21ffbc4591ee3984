import { countCharacters } from '../../shared/search/word-tokenizer.ts'
import { createProblem } from '../../shared/result.ts'

/** A typed name with single spaces. @param missing message if it is empty @throws ProblemError `invalid_input` */
export const requireName = (typed: string, most: number, missing: string): string => {
  const name = typed.trim().replace(/\s+/gu, ' ')
  if (name === '') throw createProblem('invalid_input', missing)
  if (countCharacters(name) <= most) return name
  throw createProblem('invalid_input', `A name can have at most ${most} characters. Shorten it.`)
}
