import type { ContextMenuParams, MenuItemConstructorOptions, WebContents } from 'electron'
import { SPELLING_LIMITS } from '../shared/spelling.ts'

type Pointed = Pick<
  ContextMenuParams,
  'isEditable' | 'editFlags' | 'misspelledWord' | 'dictionarySuggestions' | 'x' | 'y'
>

interface TextMenuDoors {
  /** Words that may be meant by a misspelt one. */
  readonly suggest: (word: Pointed) => Promise<readonly string[]>
  readonly addWord: (word: string) => void
}

type Contents = Pick<WebContents, 'replaceMisspelling'>

/** Milliseconds that a menu waits for words that may be meant. */
const LONGEST = 1_500

const within = async (suggestions: Promise<readonly string[]>): Promise<readonly string[]> => {
  let late: NodeJS.Timeout | undefined
  const nothing = new Promise<readonly string[]>((resolve) => (late = setTimeout(() => resolve([]), LONGEST)))
  const found = await Promise.race([suggestions.catch(() => []), nothing])
  clearTimeout(late)
  return found
}

/** What a menu writes: `&` would underline the letter after it. */
const labelOf = (word: string): string => word.replaceAll('&', '&&')

const spellingItems = async (
  contents: Contents,
  params: Pointed,
  { suggest, addWord }: TextMenuDoors,
): Promise<readonly MenuItemConstructorOptions[]> => {
  const word = params.misspelledWord
  if (word === '' || word.length > SPELLING_LIMITS.wordLength) return []
  const suggestions = await within(suggest(params))
  const replace = (by: string) => (): void => contents.replaceMisspelling(by)
  return [
    ...(suggestions.length === 0
      ? [{ label: 'No suggestions', enabled: false }]
      : suggestions.map((each) => ({ label: labelOf(each), click: replace(each) }))),
    { type: 'separator' },
    {
      label: 'Add to dictionary',
      click: () => {
        addWord(word)
        // Written anew, it is looked at anew: the mark goes.
        contents.replaceMisspelling(word)
      },
    },
    { type: 'separator' },
  ]
}

/** What the menu of a text has that can be written in; null where there is nothing to write. */
export const textMenuItems = async (
  contents: Contents,
  params: Pointed,
  doors: TextMenuDoors,
): Promise<MenuItemConstructorOptions[] | null> => {
  if (!params.isEditable) return null
  const { canCut, canCopy, canPaste, canSelectAll } = params.editFlags
  return [
    ...(await spellingItems(contents, params, doors)),
    { role: 'cut', enabled: canCut },
    { role: 'copy', enabled: canCopy },
    { role: 'paste', enabled: canPaste },
    { role: 'pasteAndMatchStyle', enabled: canPaste },
    { type: 'separator' },
    { role: 'selectAll', enabled: canSelectAll },
  ]
}
