import { tokenizeWords } from '../../../shared/search/word-tokenizer.ts'

/** True if each typed word starts a word of the text. */
const matchesWords = (text: string, wanted: readonly string[]): boolean => {
  const words = tokenizeWords(text)
  return wanted.every((each) => words.some((word) => word.startsWith(each)))
}

/** Hides settings that don't match, unless their section's heading or `data-words` do. Returns visible heading IDs. */
export const filterSettings = (settings: HTMLElement, typed: string): readonly string[] => {
  const wanted = tokenizeWords(typed)
  return [...settings.querySelectorAll<HTMLElement>(':scope > section')].flatMap((section) => {
    const [heading, ...parts] = [...section.children].filter((each) => each instanceof HTMLElement)
    const isWhole = wanted.length === 0 || matchesWords(`${heading?.textContent} ${section.dataset.words}`, wanted)
    for (const part of parts) part.hidden = !isWhole && !matchesWords(part.textContent, wanted)
    section.hidden = !isWhole && parts.every((part) => part.hidden)
    return section.hidden || heading === undefined ? [] : [heading.id]
  })
}
