// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { findDisplayedPictures } from '../../../src/renderer/features/bodies/displayed-picture.ts'
import { PictureSaver } from '../../../src/renderer/features/bodies/picture-saver.svelte.ts'
import { createBackend } from '../../../src/renderer/kernel/backend.ts'
import { ToastManager } from '../../../src/renderer/kernel/toast-manager.svelte.ts'
import type { SavedFile } from '../../../src/shared/contract.ts'
import { ProblemError } from '../../../src/shared/result.ts'
import { createFixtureTransport } from './support/fixture-transport.ts'

/** A right-to-left override. */
const TURN = String.fromCodePoint(0x202e)

const OF = { list: 'received', emailId: 'email-1' } as const
const picture = (name: string) => ({ url: `cid:${name}`, src: `blob:${name}`, name })

const open = (save: () => SavedFile = () => ({ kind: 'saved', path: '/home/ann/a.png' })) => {
  const toasts = new ToastManager()
  const asked: unknown[] = []
  const handlers = {
    'picture.save': (input: unknown) => {
      asked.push(input)
      return save()
    },
  }
  const saver = new PictureSaver(createBackend(createFixtureTransport({ handlers })), toasts)
  return { saver, toasts, asked }
}

describe('saving a picture', () => {
  it('saves the only picture, or asks the user to choose', async () => {
    const { saver, asked, toasts } = open()
    await saver.ask(OF)
    expect(asked).toEqual([])
    const frame = {}
    saver.draw(frame, OF, [picture('a')])
    await saver.ask(OF)
    expect(asked).toEqual([{ of: OF, url: 'cid:a' }])
    expect(toasts.shown?.text).toBe('Saved as /home/ann/a.png')

    saver.draw(frame, OF, [picture('a'), picture('b')])
    await saver.ask(OF)
    expect(saver.choice?.map(({ name }) => name)).toEqual(['a', 'b'])
    await saver.choose(null)
    expect([saver.choice, asked.length]).toEqual([null, 1])
    await saver.ask(OF)
    await saver.choose(picture('b'))
    expect(asked.at(-1)).toEqual({ of: OF, url: 'cid:b' })
    expect(saver.choice).toBeNull()
  })

  it('saves the picture pointed at, and none from a closed message', () => {
    const { saver, asked } = open()
    const frame = {}
    saver.draw({}, { list: 'received', emailId: 'other' }, [picture('other')])
    saver.draw(frame, OF, [picture('a')])
    expect(saver.savePointed('blob:elsewhere')).toBe(false)
    expect(saver.savePointed('blob:a')).toBe(true)
    saver.leave(frame)
    expect(saver.savePointed('blob:a')).toBe(false)
    expect(saver.of(OF)).toEqual([])
    expect(asked).toEqual([{ of: OF, url: 'cid:a' }])
  })

  it('says why it failed', async () => {
    const { saver, toasts } = open(() => {
      throw new ProblemError({ code: 'refused', message: 'It is no picture.' })
    })
    saver.draw({}, OF, [picture('a')])
    await saver.ask(OF)
    expect(toasts.shown?.text).toBe('It is no picture.')
  })
})

describe('pictures shown by a message', () => {
  const drawn = (html: string, sizes: readonly number[], addresses: readonly string[] = []) => {
    const shown = document.implementation.createHTMLDocument()
    shown.body.innerHTML = html
    for (const [place, image] of [...shown.images].entries()) {
      Object.defineProperty(image, 'naturalWidth', { value: sizes[place] ?? 0 })
      Object.defineProperty(image, 'naturalHeight', { value: sizes[place] ?? 0 })
    }
    return findDisplayedPictures(shown, addresses)
  }

  it('include each loaded one once, with the sender’s text', () => {
    const html =
      '<img data-linnet-picture="1" src="blob:b" alt="Boat"><img data-linnet-picture="0">' +
      '<img data-linnet-picture="1" src="blob:b"><img src="data:image/png;base64,AAAA" alt=" ' +
      `${TURN}Gull ">`
    const found = drawn(html, [40, 0, 40, 40], ['cid:a', 'cid:b'])
    expect(found.map(({ url, src }) => [url, src])).toEqual([
      ['cid:b', 'blob:b'],
      ['data:image/png;base64,AAAA', 'data:image/png;base64,AAAA'],
    ])
    expect(found[0]?.name).toBe('Boat')
    expect(found[1]?.name).not.toContain(TURN)
  })

  it('exclude blocked, broken, tiny, SVG and unknown ones', () => {
    const html =
      '<img data-linnet-picture="0"><img data-linnet-picture="0" src="blob:a"><img data-linnet-picture="0" src="blob:a">' +
      '<img src="data:image/svg+xml,x"><img data-linnet-picture="9" src="blob:z"><img src="https://heron.example/a.png" data-linnet-picture="0">'
    expect(drawn(html, [0, 0, 1, 40, 40, 40], ['cid:a'])).toEqual([])
  })
})
