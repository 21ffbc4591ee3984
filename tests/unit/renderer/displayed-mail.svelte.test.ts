import { describe, expect, it } from 'vitest'
import type { BodyOwner } from '../../../src/shared/contract.ts'
import type { Attachment } from '../../../src/shared/attachments.ts'
import { fail, ok } from '../../../src/shared/result.ts'
import { parseEmbeddedFilename } from '../../../src/shared/embedded-picture.ts'
import { DisplayedMail } from '../../../src/renderer/features/bodies/displayed-mail.svelte.ts'
import type { Backend } from '../../../src/renderer/kernel/backend.ts'

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
    const mail = new DisplayedMail({ call } as unknown as Backend, OF, ['https://heron.example/a.png'])
    const readings = (): number => asked.filter((name) => name === 'picture.read').length
    await mail.follow(false)
    expect([readings(), mail.remoteFailedCount]).toEqual([1, 1])
    await mail.follow(true)
    expect(readings()).toBe(1)
    await mail.showRemote()
    expect(readings()).toBe(2)
  })
})

describe('pictures waiting for permission', () => {
  const waiting = async (pictures: 'asked' | 'spam', addresses: readonly string[]): Promise<boolean> => {
    const call = (): Promise<unknown> =>
      Promise.resolve(ok({ sender: 'ann@heron.example', domain: 'heron.example', pictures, isDark: false }))
    const mail = new DisplayedMail({ call } as unknown as Backend, OF, addresses)
    await mail.follow(false)
    return mail.hasBlocked
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
    const mail = new DisplayedMail({ call } as unknown as Backend, OF, addresses)
    expect(mail.remoteCount).toBe(2)
    await mail.loadIncluded(false)
    expect(asked.toSorted()).toEqual([addresses[3], addresses[0], addresses[2]])
    expect(mail.shown.map((address) => address !== null)).toEqual([true, false, false, false])
    // A missing picture with only a file name isn't a problem: the name may come from a web page.
    expect(mail.problems).toEqual([null, null, null, 'not_found'])
    expect(mail.remoteCount).toBe(1)
    mail.end()
  })
})

describe('attachment of a displayed e-mail', () => {
  const attachment = (filename: string, size: number, contentId: string | null = null): Attachment => ({
    ...{ id: filename, filename, size, contentType: null, contentId },
  })

  it('is part of the text if its Content-ID or its length is that of a shown picture', async () => {
    const call = (): Promise<unknown> => Promise.resolve(ok({ type: 'image/png', content: 'AAAA' }))
    const mail = new DisplayedMail({ call } as unknown as Backend, OF, ['logo.png', 'cid:chart'], [70])
    expect(mail.shows(attachment('chart.png', 9, '<chart>'))).toBe(false)
    await mail.loadIncluded(false)
    expect(mail.shows(attachment('chart.png', 9, '<chart>'))).toBe(true)
    expect(mail.shows(attachment('logo.png', 3))).toBe(true)
    expect(mail.shows(attachment('embedded.png', 70))).toBe(true)
    expect(mail.shows(attachment('offer.pdf', 9))).toBe(false)
    expect(mail.shows(attachment('offer.pdf', 3))).toBe(false)
    mail.end()
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
