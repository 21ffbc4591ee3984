// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest'
import type { LinksManager } from '../../../src/renderer/features/links/links-manager.svelte.ts'
import { handleLinks } from '../../../src/renderer/features/links/handle-links.ts'

let followed: string[] = []
let shown: (string | null)[] = []
let stop: () => void

beforeEach(() => {
  followed = []
  shown = []
  document.body.innerHTML =
    '<div id="mail"><p>Words</p><a href="https://quill.example/"><b>Quill</b></a><a href="javascript:void(0)">Run</a></div>'
  // jsdom has no layout.
  Object.defineProperty(HTMLElement.prototype, 'innerText', { configurable: true, value: 'Quill' })
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList
  document.elementsFromPoint = () => []
  const links = {
    follow: (target: string) => followed.push(target),
    point: (target: string | null) => shown.push(target),
    focus: (target: string | null) => shown.push(target),
  } as unknown as LinksManager
  stop = handleLinks(document.querySelector('#mail') ?? document.body, links)
})

/** @returns true if the browser's default was kept */
const send = (selector: string, type: string, init: MouseEventInit = {}): boolean =>
  document
    .querySelector(selector)
    ?.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, ...init })) === true

describe('link in an e-mail', () => {
  it('is followed only through the window, in every way a browser would', () => {
    expect(send('b', 'click')).toBe(false)
    expect(send('b', 'click', { ctrlKey: true })).toBe(false)
    expect(send('b', 'click', { shiftKey: true })).toBe(false)
    expect(send('b', 'auxclick', { button: 1 })).toBe(false)
    expect(followed).toEqual(Array.from({ length: 4 }, () => 'https://quill.example/'))
    // Dropping the link would open it.
    expect(send('b', 'dragstart')).toBe(false)
    expect(send('p', 'dragstart')).toBe(true)
  })

  it('is not followed for a context menu or if it would run code', () => {
    expect(send('b', 'auxclick', { button: 2 })).toBe(true)
    expect(send('a:last-child', 'click')).toBe(false)
    expect(send('p', 'click')).toBe(true)
    expect(followed).toEqual([])
  })

  it('is shown while pointed at, until its e-mail is closed', () => {
    send('b', 'pointerover')
    send('p', 'pointerover')
    stop()
    expect(shown).toEqual(['https://quill.example/', null, null, null])
    send('b', 'pointerover')
    send('b', 'click')
    expect([shown.length, followed.length]).toEqual([4, 0])
  })
})
