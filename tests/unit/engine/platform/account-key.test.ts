import { describe, expect, it } from 'vitest'
import { KeyGate } from '../../../../src/engine/platform/platform-access.ts'
import type { InboxIdentity } from '../../../../src/shared/engine-api.ts'
import { ProblemError, toProblem } from '../../../../src/shared/result.ts'

const inbox = (id: string): InboxIdentity => ({ id, address: `${id}@mail.example` })
const { signal } = new AbortController()

/** A gate in front of a platform whose responses are scripted. */
const open = (parts: {
  first?: string | null
  cached?: readonly string[]
  answers?: readonly Promise<InboxIdentity[]>[]
}) => {
  const { first = 're_new', cached = ['a'], answers = [Promise.resolve([inbox('a')])] } = parts
  const asked: string[] = []
  const accepted: (readonly InboxIdentity[])[] = []
  const gate = new KeyGate(first === null ? null : { apiKey: first, isAccepted: false }, {
    test: (apiKey) => answers[asked.push(apiKey) - 1] ?? Promise.reject(new Error('asked too often')),
    cachedInboxIds: () => cached,
    accepted: (_, inboxes) => accepted.push(inboxes),
  })
  return { gate, asked, accepted }
}
const codeOf = async (work: Promise<void>): Promise<string> =>
  work.then(
    () => 'ok',
    (thrown: unknown) => toProblem(thrown).code,
  )

describe('the gate before an account’s requests', () => {
  it('blocks requests without a key', async () => {
    const { gate, asked } = open({ first: null })
    expect(gate.isMissing()).toBe(true)
    expect(await codeOf(gate.whenUsable(signal))).toBe('key_missing')
    expect(asked).toEqual([])
  })

  it('tests a new key once for all waiting requests, then lets them pass', async () => {
    const { gate, asked, accepted } = open({})
    await Promise.all([gate.whenUsable(signal), gate.whenUsable(signal), gate.whenUsable(signal)])
    await gate.whenUsable(signal)
    expect(asked).toEqual(['re_new'])
    expect(accepted).toEqual([[inbox('a')]])
  })

  it('keeps another account’s key away from the cache', async () => {
    const { gate, accepted } = open({ cached: ['a'], answers: [Promise.resolve([inbox('b')])] })
    expect(await codeOf(gate.whenUsable(signal))).toBe('key_of_another_account')
    expect(accepted).toEqual([])
  })

  it.each([
    ['the cache is new', [], [inbox('b')]],
    ['the account has no inboxes', ['a'], []],
    ['one of several inboxes is the same', ['a', 'b'], [inbox('b'), inbox('c')]],
  ])('accepts a key if %s', async (_, cached, found) => {
    expect(await codeOf(open({ cached, answers: [Promise.resolve(found)] }).gate.whenUsable(signal))).toBe('ok')
  })

  it('tests the key again after a failed test', async () => {
    const offline = new ProblemError({ code: 'unreachable', message: 'You are offline.' })
    const { gate, asked } = open({ answers: [Promise.reject(offline), Promise.resolve([inbox('a')])] })
    const waiting = [gate.whenUsable(signal), gate.whenUsable(signal)].map(codeOf)
    expect(await Promise.all(waiting)).toEqual(['unreachable', 'unreachable'])
    expect(await codeOf(gate.whenUsable(signal))).toBe('ok')
    expect(asked).toHaveLength(2)
  })

  it('continues with the newest key when it replaces one being tested', async () => {
    let reject: (reason: Error) => void = () => undefined
    const first = new Promise<InboxIdentity[]>((_, no) => (reject = no))
    const { gate, asked, accepted } = open({ answers: [first, Promise.resolve([inbox('a')])] })
    const passing = gate.whenUsable(signal)
    gate.replace({ apiKey: 're_newer', isAccepted: false })
    reject(new ProblemError({ code: 'key_rejected', message: 'No.' }))
    expect(await codeOf(passing)).toBe('ok')
    expect(asked).toEqual(['re_new', 're_newer'])
    expect(accepted).toHaveLength(1)
    expect(gate.apiKey()).toBe('re_newer')
  })
})
