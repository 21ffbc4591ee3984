import { describe, expect, it } from 'vitest'
import { textMenuItems } from '../../../src/main/text-menu.ts'

const FLAGS = { canCut: false, canCopy: true, canPaste: true, canSelectAll: true } as Electron.EditFlags
const AT = { isEditable: true, editFlags: FLAGS, misspelledWord: '', dictionarySuggestions: [], x: 1, y: 2 }

const menuOf = async (
  params: Partial<typeof AT>,
  suggest: () => Promise<readonly string[]> = () => Promise.resolve([]),
) => {
  const done: string[] = []
  const menu = await textMenuItems(
    { replaceMisspelling: (by) => void done.push(`replaced by ${by}`) },
    { ...AT, ...params },
    { suggest, addWord: (word) => void done.push(`added ${word}`) },
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

describe('the menu of a text', () => {
  it('is none where nothing is written', async () => {
    expect((await menuOf({ isEditable: false, misspelledWord: 'wrold' })).menu).toBeNull()
  })

  it('has what can be done with the words, of which some cannot be done now', async () => {
    const { shown, items } = await menuOf({})
    expect(shown).toEqual(EDITING)
    expect(items.find(({ role }) => role === 'cut')?.enabled).toBe(false)
    expect(items.find(({ role }) => role === 'copy')?.enabled).toBe(true)
  })

  it('has what may be meant by a misspelt word, and learns it', async () => {
    const { shown, choose, done } = await menuOf({ misspelledWord: 'wrold' }, () => Promise.resolve(['world', 'R&D']))
    expect(shown).toEqual(['world', 'R&&D', 'Add to dictionary', ...EDITING])
    choose('R&&D')
    choose('Add to dictionary')
    expect(done).toEqual(['replaced by R&D', 'added wrold', 'replaced by wrold'])
  })

  it('says where nothing may be meant, and waits for nobody who does not answer', async () => {
    expect((await menuOf({ misspelledWord: 'wrold' })).shown[0]).toBe('No suggestions')
    const failing = await menuOf({ misspelledWord: 'wrold' }, () => Promise.reject(new Error('gone')))
    expect(failing.shown[0]).toBe('No suggestions')
    const never = await menuOf({ misspelledWord: 'wrold' }, () => new Promise(() => undefined))
    expect(never.shown[0]).toBe('No suggestions')
  })

  it('asks nothing about a word that is longer than any is', async () => {
    expect((await menuOf({ misspelledWord: 'x'.repeat(65) })).shown).toEqual(EDITING)
  })
})
