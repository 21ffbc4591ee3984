// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { DisplayedMail, findDisplayedPictures } from '../../../src/renderer/features/bodies/displayed-mail.svelte.ts'
import { MailDisplay } from '../../../src/renderer/features/bodies/mail-display.svelte.ts'
import { createBackend } from '../../../src/renderer/kernel/backend.ts'
import { ToastManager } from '../../../src/renderer/kernel/toast-manager.svelte.ts'
import type { BodyOwner, SavedFile } from '../../../src/shared/contract.ts'
import { createFixtureTransport, failing } from './support/fixture-transport.ts'

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
  const backend = createBackend(createFixtureTransport({ handlers }))
  const display = new MailDisplay(backend, toasts)
  const draw = (of: BodyOwner = OF) => {
    const mail = new DisplayedMail(backend, of, [])
    return { mail, close: display.open(mail) }
  }
  return { display, draw, toasts, asked }
}

describe('saving a picture', () => {
  it('saves the only picture, or asks the user to choose', async () => {
    const { display, draw, asked, toasts } = open()
    await display.savePicture(OF)
    expect(asked).toEqual([])
    const { mail } = draw()
    mail.drawn = [picture('a')]
    await display.savePicture(OF)
    expect(asked).toEqual([{ of: OF, url: 'cid:a' }])
    expect(toasts.shown?.text).toBe('Saved as /home/ann/a.png')

    mail.drawn = [picture('a'), picture('b')]
    await display.savePicture(OF)
    expect(display.pictureChoice?.pictures.map(({ name }) => name)).toEqual(['a', 'b'])
    await display.choosePicture(null)
    expect([display.pictureChoice, asked.length]).toEqual([null, 1])
    await display.savePicture(OF)
    await display.choosePicture(picture('b'))
    expect(asked.at(-1)).toEqual({ of: OF, url: 'cid:b' })
    expect(display.pictureChoice).toBeNull()
  })

  it('saves the picture pointed at, and none from a closed message', () => {
    const { display, draw, asked } = open()
    draw({ list: 'received', emailId: 'other' }).mail.drawn = [picture('other')]
    const { mail, close } = draw()
    mail.drawn = [picture('a')]
    expect(display.savePointedPicture('blob:elsewhere')).toBe(false)
    expect(display.savePointedPicture('blob:a')).toBe(true)
    close()
    expect(display.savePointedPicture('blob:a')).toBe(false)
    expect(display.picturesOf(OF)).toEqual([])
    expect(asked).toEqual([{ of: OF, url: 'cid:a' }])
  })

  it('says why it failed', async () => {
    const { display, draw, toasts } = open(failing({ code: 'refused', message: 'It is no picture.' }))
    draw().mail.drawn = [picture('a')]
    await display.savePicture(OF)
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
