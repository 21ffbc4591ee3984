import { describe, expect, it } from 'vitest'
import type { BodyOwner } from '../../../src/shared/contract.ts'
import { fail, ok } from '../../../src/shared/result.ts'
import type { Backend } from '../../../src/renderer/kernel/backend.ts'
import { RemotePictures } from '../../../src/renderer/features/reader/remote-pictures.svelte.ts'

const OF: BodyOwner = { list: 'received', emailId: 'an e-mail' }

describe('a picture that did not come', () => {
  it('is asked for again by a person alone, whatever is told of the e-mail meanwhile', async () => {
    const asked: string[] = []
    const call = (name: string): Promise<unknown> => {
      asked.push(name)
      return Promise.resolve(
        name === 'picture.read'
          ? fail('refused', 'It is no picture.')
          : ok({ sender: 'ann@heron.example', domain: 'heron.example', pictures: 'sender', isDark: false }),
      )
    }
    const pictures = new RemotePictures({ call } as unknown as Backend, OF, ['https://heron.example/a.png'])
    const readings = (): number => asked.filter((name) => name === 'picture.read').length
    await pictures.follow(false)
    expect([readings(), pictures.failed]).toEqual([1, 1])
    await pictures.follow(true)
    expect(readings()).toBe(1)
    await pictures.show()
    expect(readings()).toBe(2)
  })
})

describe('pictures that wait for a person', () => {
  const waiting = async (pictures: 'asked' | 'spam', addresses: readonly string[]): Promise<boolean> => {
    const call = (): Promise<unknown> =>
      Promise.resolve(ok({ sender: 'ann@heron.example', domain: 'heron.example', pictures, isDark: false }))
    const remote = new RemotePictures({ call } as unknown as Backend, OF, addresses)
    await remote.follow(false)
    return remote.areWaiting
  }

  it('are those that are blocked, and none in spam or where an e-mail has none', async () => {
    expect(await waiting('asked', ['https://heron.example/a.png'])).toBe(true)
    expect(await waiting('asked', [])).toBe(false)
    expect(await waiting('spam', ['https://heron.example/a.png'])).toBe(false)
  })
})
