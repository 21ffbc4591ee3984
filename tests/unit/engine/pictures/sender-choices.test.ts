import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { openSenderChoices } from '../../../../src/engine/pictures/sender-choices.ts'
import { senderOf } from '../../../../src/engine/pictures/sender-of.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'

const open = (directory: string, changed = () => undefined) =>
  openSenderChoices(directory, changed, (thrown) => expect.unreachable(String(thrown)))
const sender = (from: string) => senderOf(from) ?? expect.unreachable(from)

it('a choice holds for the sender or the whole domain, until it is taken back, and outlasts the program', () => {
  const directory = temporaryDirectory()
  const changed = vi.fn()
  const choices = open(directory, changed)
  choices.set({ about: 'pictures', who: 'sender', name: 'Ann <ANN@Pier.example>' }, true)
  choices.set({ about: 'pictures', who: 'sender', name: 'ann@pier.example' }, true)
  choices.set({ about: 'dark', who: 'domain', name: 'B\u00fccher.example' }, true)
  expect(changed).toHaveBeenCalledTimes(2)

  const again = open(directory)
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
  expect(open(directory).of('pictures', sender('ann@pier.example'))).toBeNull()
})

it('what is neither an address nor a domain is no choice', () => {
  const choices = open(temporaryDirectory())
  for (const [who, name] of [
    ['sender', 'pier.example'],
    ['domain', 'a b'],
    ['domain', '/'],
  ] as const) {
    expect(() => choices.set({ about: 'pictures', who, name }, true)).toThrow(/remember/)
  }
  expect(choices.all()).toEqual([])
})

it('what can be read of a damaged file still holds, and the file is kept aside', () => {
  const directory = temporaryDirectory()
  const file = join(directory, 'sender-choices.json')
  open(directory).set({ about: 'pictures', who: 'sender', name: 'ann@pier.example' }, true)
  open(directory).set({ about: 'pictures', who: 'sender', name: 'bob@pier.example' }, true)
  writeFileSync(file, readFileSync(file, 'utf8').replace('"who":"sender","name":"bob', '"who":"sendex","name":"bob'))
  expect(open(directory).all()).toEqual([{ about: 'pictures', who: 'sender', name: 'ann@pier.example' }])
  expect(readdirSync(directory).filter((name) => name.includes('set-aside'))).toHaveLength(1)
  expect(open(directory).all()).toHaveLength(1)
})
