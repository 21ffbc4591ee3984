import { describe, expect, it } from 'vitest'
import type { OpenAccount } from '../../../src/engine/account.ts'
import { ReopeningAccount } from '../../../src/engine/reopening-account.ts'

describe('an account with damaged files', () => {
  it('reopens even if the old files can’t be closed', async () => {
    const failures: unknown[] = []
    const opened: OpenAccount[] = []
    let damaged: () => void = () => undefined
    const account = new ReopeningAccount(
      (onCorrupt) => {
        damaged = onCorrupt
        const isFirst = opened.length === 0
        const one: Pick<OpenAccount, 'close' | 'notifyAllChanged'> = {
          close: () => (isFirst ? Promise.reject(new Error('It does not close.')) : Promise.resolve()),
          notifyAllChanged: () => undefined,
        }
        opened.push(one as OpenAccount)
        return one as OpenAccount
      },
      (thrown) => failures.push(thrown),
    )
    damaged()
    await account.whenReady()
    expect(opened).toHaveLength(2)
    expect(account.current()).toBe(opened[1])
    expect(failures).toMatchObject([{ message: 'It does not close.' }])
    await account.close()
    expect(() => account.current()).toThrow('This account was closed')
  })
})
