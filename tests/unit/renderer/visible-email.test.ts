// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest'
import { findVisibleEmailId, watchVisibleEmail } from '../../../src/renderer/features/person/visible-email.ts'

/** A conversation scrolled to these tops; open e-mails are 300 pixels high, folded ones 40. */
const show = (emails: readonly { readonly id: string; readonly top: number; readonly isOpen: boolean }[]): void => {
  document.body.innerHTML = `<div role="group">${emails
    .map(
      ({ id, isOpen }) =>
        `<article tabindex="-1" data-email-id="${id}"><button aria-expanded="${isOpen}"></button></article>`,
    )
    .join('')}</div>`
  const place = (element: Element | null | undefined, top: number, height: number): void => {
    if (element !== null && element !== undefined)
      element.getBoundingClientRect = () => new DOMRect(0, top, 100, height)
  }
  place(document.querySelector('[role="group"]'), 0, 500)
  const articles = document.querySelectorAll('article')
  for (const [at, { top, isOpen }] of emails.entries()) place(articles[at], top, isOpen ? 300 : 40)
}

afterEach(() => document.body.replaceChildren())

describe('current e-mail', () => {
  it('is the topmost unfolded one in view', () => {
    show([
      { id: 'folded', top: 0, isOpen: false },
      { id: 'open', top: 40, isOpen: true },
      { id: 'next', top: 340, isOpen: true },
    ])
    expect(findVisibleEmailId(document)).toBe('open')
    show([
      { id: 'folded', top: -290, isOpen: false },
      { id: 'nearly gone', top: -250, isOpen: true },
      { id: 'next', top: 50, isOpen: true },
    ])
    expect(findVisibleEmailId(document)).toBe('next')
  })

  it('is the one with focus, wherever it is', () => {
    show([
      { id: 'open', top: 0, isOpen: true },
      { id: 'focused', top: 300, isOpen: true },
    ])
    document.querySelectorAll('button')[1]?.focus()
    expect(findVisibleEmailId(document)).toBe('focused')
  })

  it('is null if all are folded or there are none', () => {
    show([{ id: 'folded', top: 0, isOpen: false }])
    expect(findVisibleEmailId(document)).toBeNull()
    show([])
    expect(findVisibleEmailId(document)).toBeNull()
  })
})

describe('focus beside the mail', () => {
  const nextFrame = (): Promise<unknown> => new Promise(requestAnimationFrame)

  it('keeps the current e-mail until the user scrolls or picks another', async () => {
    show([
      { id: 'open', top: 0, isOpen: true },
      { id: 'focused', top: 300, isOpen: true },
    ])
    document.body.insertAdjacentHTML('beforeend', '<aside><button>Tide tables</button></aside>')
    const inPanel = document.querySelector<HTMLElement>('aside button')
    let seen: string | null = null
    const watch = (): (() => void) => watchVisibleEmail(() => (seen = findVisibleEmailId(document)))
    const stop = watch()
    document.querySelectorAll('article')[1]?.focus()
    await nextFrame()
    expect(seen).toBe('focused')
    inPanel?.focus()
    inPanel?.click()
    await nextFrame()
    expect(seen).toBe('focused')
    stop()
    const stopAgain = watch()
    await nextFrame()
    expect(seen).toBe('focused')
    document.querySelector('[role="group"]')?.dispatchEvent(new Event('scroll'))
    await nextFrame()
    expect(seen).toBe('open')
    stopAgain()
  })
})
