import type { ContextMenuParams, MenuItemConstructorOptions, WebContents } from 'electron'
import { SPELLING_LIMITS } from '../shared/spelling.ts'
import { toExternalUrl } from './window-origin.ts'

type TextMenuParams = Pick<
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

interface TextMenuDependencies {
  readonly suggest: (word: TextMenuParams) => Promise<readonly string[]>
  readonly addWord: (word: string) => void
  readonly copyText: (text: string) => void
  /** @param src the picture's address in its document */
  readonly savePicture: (src: string) => void
}

type Contents = Pick<WebContents, 'replaceMisspelling' | 'copyImageAt'>

/** Time in milliseconds that a menu waits for suggestions. */
const SUGGESTION_TIMEOUT_MS = 1_500

const withTimeout = async (suggestions: Promise<readonly string[]>): Promise<readonly string[]> => {
  let late: NodeJS.Timeout | undefined
  const nothing = new Promise<readonly string[]>(
    (resolve) => (late = setTimeout(() => resolve([]), SUGGESTION_TIMEOUT_MS)),
  )
  const found = await Promise.race([suggestions.catch(() => []), nothing])
  clearTimeout(late)
  return found
}

/** Menu label. A single ampersand would underline the next letter. */
const labelOf = (word: string): string => word.replaceAll('&', '&&')

const spellingItems = async (
  contents: Contents,
  params: TextMenuParams,
  { suggest, addWord }: TextMenuDependencies,
): Promise<readonly MenuItemConstructorOptions[]> => {
  const word = params.misspelledWord
  if (word === '' || word.length > SPELLING_LIMITS.wordLength) return []
  const suggestions = await withTimeout(suggest(params))
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
        // Replacing the word with itself triggers a new check, which removes the mark.
        contents.replaceMisspelling(word)
      },
    },
    { type: 'separator' },
  ]
}

/** Copies a link's address as Linnet would open it, or its mail recipient. Empty for links Linnet doesn't open. */
const linkItem = (linkUrl: string, copyText: TextMenuDependencies['copyText']): MenuItemConstructorOptions[] => {
  const target = toExternalUrl(linkUrl)
  if (target === null) return []
  const isMail = target.startsWith('mailto:')
  return [{ label: isMail ? 'Copy email link' : 'Copy link address', click: () => copyText(target) }]
}

/** Items for read-only content. Nothing here opens or fetches: the window inspects links first and saves pictures. */
const readingItems = (
  contents: Contents,
  { editFlags, selectionText, linkURL, mediaType, hasImageContents, srcURL, x, y }: TextMenuParams,
  { copyText, savePicture }: TextMenuDependencies,
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

/** The context menu for a text, link or picture, or null if it would be empty. */
export const buildTextMenu = async (
  contents: Contents,
  params: TextMenuParams,
  dependencies: TextMenuDependencies,
): Promise<MenuItemConstructorOptions[] | null> => {
  if (!params.isEditable) {
    const items = readingItems(contents, params, dependencies)
    return items.length === 0 ? null : items
  }
  const { canCut, canCopy, canPaste, canSelectAll } = params.editFlags
  return [
    ...(await spellingItems(contents, params, dependencies)),
    { role: 'cut', enabled: canCut },
    { role: 'copy', enabled: canCopy },
    { role: 'paste', enabled: canPaste },
    { role: 'pasteAndMatchStyle', enabled: canPaste },
    { type: 'separator' },
    { role: 'selectAll', enabled: canSelectAll },
  ]
}
