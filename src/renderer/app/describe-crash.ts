import type { PartCrashes } from '../../shared/run-state.ts'

const PARTS = { window: 'The window', engine: 'The mail engine' } as const

export const describeCrash = ({ part, count, isOutOfMemory, isRestarted }: PartCrashes): string => {
  const often = count === 1 ? '' : count === 2 ? ' twice' : ` ${count} times`
  const why = isOutOfMemory ? ' (out of memory)' : ''
  const then = isRestarted ? 'and is running again' : 'and was not restarted because it keeps crashing'
  return `${PARTS[part]} crashed${often}${why} ${then}. Nothing is lost.`
}
