import { describe, expect, it } from 'vitest'
import { SpellCheck } from '../../../src/preload/spell-check.ts'
import { SPELLING_LIMITS } from '../../../src/shared/spelling.ts'

const checking = (ask: (words: readonly string[]) => readonly string[] | null) => {
  const asked: (readonly string[])[] = []
  const spelling = new SpellCheck((words) => {
    asked.push(words)
    return Promise.resolve(ask(words))
  })
  const check = (words: readonly string[]): Promise<readonly string[]> =>
    new Promise((resolve) => spelling.check(words, resolve))
  return { asked, check, forget: () => spelling.forget() }
}
const wrong = (words: readonly string[]): readonly string[] => words.filter((word) => word.includes('z'))

describe('spelling requests from Chromium', () => {
  it('are sent once per word, even while a response is pending', async () => {
    const { asked, check } = checking(wrong)
    expect(await Promise.all([check(['hello', 'wzrld']), check(['hello', 'wzrld', 'zoo'])])).toEqual([
      ['wzrld'],
      ['wzrld', 'zoo'],
    ])
    expect(asked).toEqual([['hello', 'wzrld'], ['zoo']])
  })

  it('fit the contract: some hundred words at a time, none too long', async () => {
    const { asked, check } = checking(wrong)
    const letters = (place: number): string =>
      String(place).replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))
    const words = Array.from({ length: SPELLING_LIMITS.words + 1 }, (_, place) => letters(place))
    expect(await check([...words, `z${'x'.repeat(SPELLING_LIMITS.wordLength)}`])).toEqual([])
    expect(asked.map(({ length }) => length)).toEqual([SPELLING_LIMITS.words, 1])
  })

  it('skip addresses, files and numbers', async () => {
    const { asked, check } = checking(wrong)
    const others = ['z.example', 'https://z.example/z', 'ada@z.example', 'z_z', 'z2', 'C:\\\\z', 'z/z']
    expect(await check([...others, 'zoo', 'wz'])).toEqual(['zoo', 'wz'])
    expect(asked).toEqual([['zoo', 'wz']])
  })

  it('mark nothing if nobody answers, and are repeated', async () => {
    let canSay = false
    const { check } = checking((words) => (canSay ? wrong(words) : null))
    expect(await check(['zoo'])).toEqual([])
    canSay = true
    expect(await check(['zoo'])).toEqual(['zoo'])
  })

  it('are repeated when the languages change', async () => {
    let isRight = false
    const { check, forget } = checking((words) => (isRight ? [] : wrong(words)))
    expect(await check(['zoo'])).toEqual(['zoo'])
    isRight = true
    expect(await check(['zoo'])).toEqual(['zoo'])
    forget()
    expect(await check(['zoo'])).toEqual([])
  })
})
