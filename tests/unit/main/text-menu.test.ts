import { describe, expect, it } from 'vitest'
import { buildTextMenu } from '../../../src/main/text-menu.ts'

const FLAGS = { canCut: false, canCopy: true, canPaste: true, canSelectAll: true } as Electron.EditFlags
const AT = {
  ...{ isEditable: true, editFlags: FLAGS, misspelledWord: '', dictionarySuggestions: [], x: 1, y: 2 },
  ...{
    selectionText: '',
    linkURL: '',
    mediaType: 'none' as Electron.ContextMenuParams['mediaType'],
    hasImageContents: false,
    srcURL: '',
  },
}

const menuOf = async (
  params: Partial<typeof AT>,
  suggest: () => Promise<readonly string[]> = () => Promise.resolve([]),
) => {
  const done: string[] = []
  const menu = await buildTextMenu(
    {
      replaceMisspelling: (by) => void done.push(`replaced by ${by}`),
      copyImageAt: (x, y) => void done.push(`picture at ${x} ${y}`),
    },
    { ...AT, ...params },
    {
      ...{ suggest, addWord: (word) => void done.push(`added ${word}`), copyText: (text) => void done.push(text) },
      savePicture: (src) => void done.push(`saved ${src}`),
    },
  )
  const items = menu ?? []
  const shown = items.filter(({ type }) => type !== 'separator').map(({ label, role }) => label ?? role)
  const choose = (label: string): void => {
    const click = items.find((item) => item.label === label)?.click as (() => void) | undefined
    click?.()
  }
  return { menu, shown, items, done, choose }
}

const EDITING = ['cut', 'copy', 'paste', 'pasteAndMatchStyle', 'selectAll']

describe('the menu of editable text', () => {
  it('is absent outside editable text', async () => {
    expect((await menuOf({ isEditable: false, misspelledWord: 'wrold' })).menu).toBeNull()
  })

  it('offers text actions, some of them disabled', async () => {
    const { shown, items } = await menuOf({})
    expect(shown).toEqual(EDITING)
    expect(items.find(({ role }) => role === 'cut')?.enabled).toBe(false)
    expect(items.find(({ role }) => role === 'copy')?.enabled).toBe(true)
  })

  it('offers suggestions for a misspelt word, and learns it', async () => {
    const { shown, choose, done } = await menuOf({ misspelledWord: 'wrold' }, () => Promise.resolve(['world', 'R&D']))
    expect(shown).toEqual(['world', 'R&&D', 'Add to dictionary', ...EDITING])
    choose('R&&D')
    choose('Add to dictionary')
    expect(done).toEqual(['replaced by R&D', 'added wrold', 'replaced by wrold'])
  })

  it('says if there are no suggestions, without waiting for a silent checker', async () => {
    expect((await menuOf({ misspelledWord: 'wrold' })).shown[0]).toBe('No suggestions')
    const failing = await menuOf({ misspelledWord: 'wrold' }, () => Promise.reject(new Error('gone')))
    expect(failing.shown[0]).toBe('No suggestions')
    const never = await menuOf({ misspelledWord: 'wrold' }, () => new Promise(() => undefined))
    expect(never.shown[0]).toBe('No suggestions')
  })

  it('requests nothing for an overlong word', async () => {
    expect((await menuOf({ misspelledWord: 'x'.repeat(65) })).shown).toEqual(EDITING)
  })
})

describe('the menu of read-only content', () => {
  it('copies a selection, if there is one', async () => {
    const { shown } = await menuOf({ isEditable: false, selectionText: 'fog' })
    expect(shown).toEqual(['copy'])
    expect((await menuOf({ isEditable: false, selectionText: ' ' })).menu).toBeNull()
  })

  it('copies the address of a link only if Linnet would open it', async () => {
    const link = await menuOf({ isEditable: false, linkURL: 'https://harbour.example/a?b' })
    expect(link.shown).toEqual(['Copy link address'])
    link.choose('Copy link address')
    expect(link.done).toEqual(['https://harbour.example/a?b'])
    expect((await menuOf({ isEditable: false, linkURL: 'mailto:pier@harbour.example' })).shown).toEqual([
      'Copy email link',
    ])
    for (const linkURL of [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'linnet://app/index.html#/settings',
      'about:srcdoc#a',
    ])
      expect((await menuOf({ isEditable: false, linkURL })).menu).toBeNull()
  })

  it('copies and saves a loaded picture, but not a missing one', async () => {
    const there = { isEditable: false, mediaType: 'image', hasImageContents: true, srcURL: 'blob:linnet/a' } as const
    const picture = await menuOf(there)
    expect(picture.shown).toEqual(['Copy picture', 'Save picture as…'])
    picture.choose('Copy picture')
    picture.choose('Save picture as…')
    expect(picture.done).toEqual(['picture at 1 2', 'saved blob:linnet/a'])
    expect((await menuOf({ isEditable: false, mediaType: 'image' })).menu).toBeNull()
  })
})
