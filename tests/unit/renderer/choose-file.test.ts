// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest'
import { chooseFile } from '../../../src/renderer/ui/choose-file.ts'

const choosers = (): readonly HTMLInputElement[] => [...document.querySelectorAll<HTMLInputElement>('input[type=file]')]

afterEach(() => vi.restoreAllMocks())

test.each([
  ['change', 'people.csv'],
  ['cancel', undefined],
])('keeps the file input in the document until “%s”, so it isn’t garbage-collected', async (event, name) => {
  vi.spyOn(HTMLInputElement.prototype, 'click').mockReturnValue()
  const chosen = chooseFile('.csv')
  const [chooser] = choosers()
  expect(chooser).toMatchObject({ accept: '.csv', hidden: true })
  Object.defineProperty(chooser, 'files', { value: name === undefined ? [] : [new File(['a'], name)] })
  chooser?.dispatchEvent(new Event(event))
  expect((await chosen)?.name).toBe(name)
  expect(choosers()).toEqual([])
})
