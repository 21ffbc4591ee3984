import type { ContextMenuParams, MenuItemConstructorOptions, WebContents } from 'electron'
import { SPELLING_LIMITS } from '../shared/spelling.ts'
import { externalUrl } from './window-origin.ts'

type Pointed = Pick<
  ContextMenuParams,
  | 'isEditable'
  | 'editFlags'
  | 'misspelledWord'
  | 'dictionarySuggestions'
  | 'selectionText'
  | 'linkURL'
  | 'mediaType'
  | 'hasImageContents'
  | 'srcURL'
  | 'x'
  | 'y'
>

interface TextMenuDoors {
  /** Words that may be meant by a misspelt one. */
  readonly suggest: (word: Pointed) => Promise<readonly string[]>
  readonly addWord: (word: string) => void
  readonly copyText: (text: string) => void
  /** @param src the picture's address in its document */
  readonly savePicture: (src: string) => void
}

type Contents = Pick<WebContents, 'replaceMisspelling' | 'copyImageAt'>

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

/** What a link copies: its address as Linnet would open it, or whom it writes to; nothing of one that Linnet does not open. */
const linkItem = (linkUrl: string, copyText: TextMenuDoors['copyText']): MenuItemConstructorOptions[] => {
  const target = externalUrl(linkUrl)
  if (target === null) return []
  const isMail = target.startsWith('mailto:')
  return [{ label: isMail ? 'Copy mail link' : 'Copy link address', click: () => copyText(target) }]
}

/**
 * What is read: nothing here opens or fetches anything. A link is opened by following it, where the window looks at it first, and a
 * picture is copied as it stands on the screen; the window knows which one it is and saves it.
 */
const readingItems = (
  contents: Contents,
  { editFlags, selectionText, linkURL, mediaType, hasImageContents, srcURL, x, y }: Pointed,
  { copyText, savePicture }: TextMenuDoors,
): MenuItemConstructorOptions[] => {
  const copy: MenuItemConstructorOptions[] =
    selectionText.trim() === '' ? [] : [{ role: 'copy', enabled: editFlags.canCopy }]
  const picture: MenuItemConstructorOptions[] =
    mediaType === 'image' && hasImageContents
      ? [
          { label: 'Copy picture', click: () => contents.copyImageAt(x, y) },
          { label: 'Save picture as…', click: () => savePicture(srcURL) },
        ]
      : []
  return [...copy, ...linkItem(linkURL, copyText), ...picture]
}

/** What the menu has of what is pointed at: a text, a link, a picture; null where there is nothing to do with it. */
export const textMenuItems = async (
  contents: Contents,
  params: Pointed,
  doors: TextMenuDoors,
): Promise<MenuItemConstructorOptions[] | null> => {
  if (!params.isEditable) {
    const items = readingItems(contents, params, doors)
    return items.length === 0 ? null : items
  }
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
