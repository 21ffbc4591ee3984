// @vitest-environment jsdom
import { beforeAll, describe, expect, it } from 'vitest'
import { createBackend } from '../../../src/renderer/kernel/backend.ts'
import { FindManager } from '../../../src/renderer/features/bodies/find-manager.svelte.ts'
import { FindCrawl, type SearchableEmail } from '../../../src/renderer/features/reader/find-crawl.svelte.ts'
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

const openConversation = (texts: readonly string[]) => {
  const find = new FindManager()
  const articles = texts.map(() => document.createElement('article'))
  document.body.replaceChildren(...articles)
  const places = texts.map((text, index): SearchableEmail => ({
    id: `email-${index}`,
    bodies: { html: null, text, apart: null } as SearchableEmail['bodies'],
    of: { list: 'received', emailId: `email-${index}` } as SearchableEmail['of'],
    unfold: () => undefined,
    element: () => articles[index] ?? null,
  }))
  const walk = new FindCrawl(
    createBackend(createFixtureTransport({ threads: 1 })),
    find,
    () => places,
    () => null,
  )
  const draw = (index: number): Promise<void> => {
    const element = document.createElement('p')
    element.textContent = texts[index] ?? ''
    articles[index]?.append(element)
    find.add({ element, root: () => element, unrenderedText: () => '', renderMore: () => undefined })
    return walk.recount()
  }
  return { walk, draw }
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
})
