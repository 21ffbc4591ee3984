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
  if (by === 'browser') return isOn ? 'Your browser checks spelling, in the languages you chose there.' : ''
  if (by === 'dictionaries' && languages.length === 0) {
    return 'No dictionaries are installed on this computer, so spelling is not checked. Install the ones for your languages, then restart Linnet: on Debian and Ubuntu, the packages are hunspell-en-us, hunspell-de-de and so on; on Fedora, hunspell-en and hunspell-de. Linnet downloads none.'
  }
  if (!isOn) return ''
  if (by === 'dictionaries') {
    return `Uses your system’s dictionaries: ${formatList(active.map(nameLanguage))}. Linnet downloads none.`
  }
  if (system === 'macOS')
    return 'macOS checks spelling, in the languages of its keyboard settings. Linnet downloads no dictionaries.'
  return active.length === 0
    ? 'Windows has no spell check for your languages. Add them in Windows Settings, Time & language.'
    : `Windows checks spelling: ${formatList(active.map(nameLanguage))}. Linnet downloads no dictionaries.`
}
