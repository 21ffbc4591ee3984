import type { SpellingState } from '../../../shared/spelling.ts'
import { formatList } from '../../ui/format-list.ts'

const NAMES = new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard' })

export const nameLanguage = (tag: string): string => {
  try {
    return NAMES.of(tag) ?? tag
  } catch {
    return tag
  }
}

/** Names the spelling checker, or explains what to do without one. @param system name of the operating system */
export const describeSpelling = (
  { by, languages, active }: SpellingState,
  isOn: boolean,
  system: 'macOS' | 'Windows',
): string => {
  if (by === 'browser') return isOn ? 'Your browser checks spelling. Choose the languages in its settings.' : ''
  if (by === 'dictionaries' && languages.length === 0) {
    return 'No dictionaries are installed on this computer, so spelling is not checked. Linnet does not download any. Install the packages for your languages, then restart Linnet: for example, hunspell-en-us on Debian and Ubuntu, or hunspell-en on Fedora.'
  }
  if (!isOn) return ''
  if (by === 'dictionaries') {
    return `Uses your system’s dictionaries: ${formatList(active.map(nameLanguage))}. Linnet does not download any.`
  }
  if (system === 'macOS')
    return 'macOS checks spelling in the languages chosen in its keyboard settings. Linnet does not download dictionaries.'
  return active.length === 0
    ? 'Windows can’t check spelling in your languages. Add them in Windows Settings, under Time & language.'
    : `Windows checks spelling in ${formatList(active.map(nameLanguage))}. Linnet does not download dictionaries.`
}
