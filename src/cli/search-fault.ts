import { describeSearchFault } from '../shared/search/describe-search-fault.ts'
import type { ParsedSearch } from '../shared/search/parse-search.ts'
import { withoutControls } from './safe-text.ts'
import { CommandError, EXIT } from './terminal.ts'

/** Now, where this computer is. */
export const clock = () => ({ now: Date.now(), timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone })

/** What is wrong with a search, each fault below the words that it is about. */
export const searchFaultError = ({ text, faults }: ParsedSearch): CommandError => {
  const line = text.replace(/\s/gu, ' ')
  const details = faults.flatMap((fault) => {
    const { start, end } = fault.span
    const before = Array.from(withoutControls(line.slice(0, start))).length
    const marked = Math.max(1, Array.from(withoutControls(line.slice(start, end))).length)
    return [`  ${line}`, `  ${' '.repeat(before)}${'^'.repeat(marked)}`, `  ${describeSearchFault(fault)}`]
  })
  return new CommandError('This search has a mistake:', EXIT.usage, details)
}
