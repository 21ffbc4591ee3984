import { describe, expect, it } from 'vitest'
import type { BodyOwner } from '../../../src/shared/contract.ts'
import { fail, ok } from '../../../src/shared/result.ts'
import { parseEmbeddedFilename } from '../../../src/shared/embedded-picture.ts'
import { EmailPictures } from '../../../src/renderer/features/bodies/email-pictures.svelte.ts'
import type { Backend } from '../../../src/renderer/kernel/backend.ts'
import { RemotePictures } from '../../../src/renderer/features/bodies/remote-pictures.svelte.ts'

const OF: BodyOwner = { list: 'received', emailId: 'an e-mail' }

describe('picture that failed to load', () => {
  it('is retried only by the user, not by events', async () => {
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

describe('pictures waiting for permission', () => {
  const waiting = async (pictures: 'asked' | 'spam', addresses: readonly string[]): Promise<boolean> => {
    const call = (): Promise<unknown> =>
      Promise.resolve(ok({ sender: 'ann@heron.example', domain: 'heron.example', pictures, isDark: false }))
    const remote = new RemotePictures({ call } as unknown as Backend, OF, addresses)
    await remote.follow(false)
    return remote.hasBlocked
  }

  it('are the blocked ones, but never in spam', async () => {
    expect(await waiting('asked', ['https://heron.example/a.png'])).toBe(true)
    expect(await waiting('asked', [])).toBe(false)
    expect(await waiting('spam', ['https://heron.example/a.png'])).toBe(false)
  })
})

describe('attached picture with a web address', () => {
  const addresses = ['https://heron.example/a.png', 'https://heron.example/b.png', 'logo.png', 'cid:gone']

  it('is read without permission', async () => {
    const asked: unknown[] = []
    const call = (name: string, { url }: { readonly url?: string }): Promise<unknown> => {
      if (name === 'picture.located') return Promise.resolve(ok([addresses[0]]))
      asked.push(url)
      return Promise.resolve(
        url === addresses[0] ? ok({ type: 'image/png', content: '' }) : fail('not_found', 'Not here.'),
      )
    }
    const backend = { call } as unknown as Backend
    const emailPictures = new EmailPictures(backend, OF, addresses, [])
    const remote = new RemotePictures(backend, OF, addresses, (number) => emailPictures.holds(number))
    expect(remote.count).toBe(2)
    await emailPictures.load(false)
    expect(asked.toSorted()).toEqual([addresses[3], addresses[0], addresses[2]])
    expect(emailPictures.shown.map((address) => address !== null)).toEqual([true, false, false, false])
    // A missing picture with only a file name isn't a problem: the name may come from a web page.
    expect(emailPictures.problems).toEqual([null, null, null, 'not_found'])
    expect(remote.count).toBe(1)
    emailPictures.end()
  })
})

describe('name from a relative picture address', () => {
  it.each([
    ['logo.png', 'logo.png'],
    [' ./images/my%20logo.png?v=1#top', 'images/my logo.png'],
    ['/logo.png', 'logo.png'],
    ['https://heron.example/logo.png', null],
    ['//heron.example/logo.png', null],
    ['\\\\heron.example\\logo.png', null],
    ['cid:logo.png', null],
    ['data:image/png;base64,AAAA', null],
    ['#top', null],
    ['', null],
  ])('is taken from %j', (address, name) => {
    expect(parseEmbeddedFilename(address)).toBe(name)
  })
})
