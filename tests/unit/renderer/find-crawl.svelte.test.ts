// @vitest-environment jsdom
import { beforeAll, describe, expect, it } from 'vitest'
import { createBackend } from '../../../src/renderer/kernel/backend.ts'
import { FindManager } from '../../../src/renderer/features/bodies/find-manager.svelte.ts'
import { FindCrawl, type SearchableText } from '../../../src/renderer/features/bodies/find-crawl.svelte.ts'
import { createFixtureTransport } from './support/fixture-transport.ts'
import { until } from './support/until.ts'

// Missing in jsdom, which renders nothing.
beforeAll(() => {
  Element.prototype.checkVisibility = () => true
  class Highlight {
    priority = 0
  }
  Object.assign(document.defaultView ?? {}, { Highlight, CSS: { escape: String, highlights: new Map() } })
})

const openConversation = (texts: readonly string[], isOpen = false) => {
  const unfolded: number[] = []
  const find = new FindManager()
  const articles = texts.map(() => document.createElement('article'))
  document.body.replaceChildren(...articles)
  const places = texts.map((text, index): SearchableText => ({
    id: `email-${index}`,
    bodies: { html: null, text, apart: null } as SearchableText['bodies'],
    of: { list: 'received', emailId: `email-${index}` } as SearchableText['of'],
    unfold: () => unfolded.push(index),
    isOpen,
    element: () => articles[index] ?? null,
  }))
  const backend = createBackend(createFixtureTransport({ threads: 1 }))
  const walk = new FindCrawl({ backend, find, places: () => places, scroller: () => null })
  const draw = async (index: number): Promise<() => void> => {
    const element = document.createElement('p')
    element.textContent = texts[index] ?? ''
    articles[index]?.append(element)
    const leave = find.add({ element, root: () => element })
    await walk.recount()
    return leave
  }
  return { walk, draw, unfolded }
}

describe('find in conversation', () => {
  it('goes to the first match in the drawn text', async () => {
    const { walk, draw } = openConversation(['a crane', 'the crane and the rope'])
    await draw(1)
    walk.typed = 'the'
    walk.start()
    await until(() => walk.total === 2)
    expect(walk.number).toBe(1)
  })

  it('goes to a match once its e-mail is drawn, and then stays put', async () => {
    const { walk, draw } = openConversation(['the crane', 'the crane and the rope'])
    walk.typed = 'the'
    walk.start()
    await until(() => walk.total === 3)
    expect(walk.number).toBeNull()
    await draw(1)
    expect([walk.number, walk.total]).toEqual([2, 3])
    // Drawing another e-mail keeps the current match.
    walk.go(1)
    expect(walk.number).toBe(3)
    await draw(0)
    expect([walk.number, walk.total]).toEqual([3, 3])
  })

  it('keeps the count of a text that is no longer drawn', async () => {
    const { walk, draw } = openConversation(['the crane', 'the crane and the rope'])
    walk.typed = 'the'
    walk.start()
    const leave = await draw(1)
    await until(() => walk.total === 3)
    leave()
    walk.search()
    expect(walk.total).toBe(3)
  })

  it('scrolls to the first match while typing, but unfolds nothing', async () => {
    for (const isOpen of [true, false]) {
      const { walk, unfolded } = openConversation(['a crane', 'the crane and the rope'], isOpen)
      walk.typed = 'the'
      walk.start()
      await until(() => walk.total === 2)
      await until(() => !isOpen || walk.number === 1)
      expect(unfolded).toEqual(isOpen ? [1] : [])
    }
  })
})
