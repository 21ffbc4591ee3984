import type { PartEnds } from '../../shared/run-state.ts'

const PARTS = { window: 'The window', engine: 'The mail engine' } as const

export const describeCrash = ({ part, count, isOutOfMemory, isBack }: PartEnds): string => {
  const often = count === 1 ? '' : count === 2 ? ' twice' : ` ${count} times`
  const why = isOutOfMemory ? ' (out of memory)' : ''
  const then = isBack ? 'and is running again' : 'and stays off because it keeps crashing'
  return `${PARTS[part]} crashed${often}${why}, ${then}. Nothing is lost.`
}
