import { expect, it, vi } from 'vitest'
import { SenderChoices, parseSender } from '../../../../../src/engine/own/sender-choices.ts'
import { ownLists } from '../../support/local-lists.ts'

const sender = (from: string) => parseSender(from) ?? expect.unreachable(from)

it('keeps a choice for a sender or domain across restarts, until it is undone', () => {
  const { own } = ownLists()
  const changed = vi.fn()
  const choices = new SenderChoices(own, changed)
  choices.set({ about: 'pictures', who: 'sender', name: 'Ann <ANN@Pier.example>' }, true)
  choices.set({ about: 'pictures', who: 'sender', name: 'ann@pier.example' }, true)
  choices.set({ about: 'dark', who: 'domain', name: 'B\u00fccher.example' }, true)
  expect(changed).toHaveBeenCalledTimes(2)

  const again = new SenderChoices(own, vi.fn())
  expect(again.all()).toEqual([
    { about: 'pictures', who: 'sender', name: 'ann@pier.example' },
    { about: 'dark', who: 'domain', name: 'xn--bcher-kva.example' },
  ])
  expect(again.of('pictures', sender('Somebody <ann@pier.example>'))).toBe('sender')
  expect(again.of('pictures', sender('bob@pier.example'))).toBeNull()
  expect(again.of('pictures', sender('bob@sub.xn--bcher-kva.example'))).toBeNull()
  expect(again.of('dark', sender('bob@b\u00fccher.example'))).toBe('domain')
  expect(again.of('pictures', sender('bob@b\u00fccher.example'))).toBeNull()

  again.set({ about: 'pictures', who: 'sender', name: 'ann@pier.example' }, false)
  expect(new SenderChoices(own, vi.fn()).of('pictures', sender('ann@pier.example'))).toBeNull()
})

it('rejects choices that are neither an address nor a domain', () => {
  const choices = new SenderChoices(ownLists().own, vi.fn())
  for (const [who, name] of [
    ['sender', 'pier.example'],
    ['domain', 'a b'],
    ['domain', '/'],
  ] as const) {
    expect(() => choices.set({ about: 'pictures', who, name }, true)).toThrow(/remember/)
  }
  expect(choices.all()).toEqual([])
})
