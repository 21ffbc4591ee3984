// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { isForwardSubject } from '../../../src/shared/history/history-terms.ts'
import { htmlToText } from '../../../src/shared/mail-text/html-to-text.ts'
import {
  findTextFolds,
  normalizeForPaging,
  parseTextPage,
} from '../../../src/renderer/features/bodies/parse-plain-text.ts'
import { sanitizeHtml } from '../../../src/renderer/features/bodies/sanitize-html.ts'
import { HTML_BODIES, TEXT_BODIES } from './support/reply-bodies.ts'

const dom = (html: string, isForward = false): Document =>
  new DOMParser().parseFromString(sanitizeHtml(html, isForward).markup, 'text/html')

const linesOf = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/<mailto:[^>]*>|\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('|')

const shown = (document: Document): { readonly seen: string; readonly folded: readonly string[] } => {
  const mail = document.querySelector('#linnet-mail')
  const folds = [...(mail?.querySelectorAll('details') ?? [])]
  const folded = folds.map((fold) =>
    fold.querySelector('summary')?.textContent.includes('signature') === true ? 'signature' : 'history',
  )
  for (const fold of folds) fold.remove()
  for (const unseen of mail?.querySelectorAll('[style*="display:none"]') ?? []) unseen.remove()
  return {
    seen: linesOf(
      htmlToText((mail?.innerHTML ?? '').replaceAll('blockquote', 'div'))
        .replace(/^---$/gm, '')
        .replace(/ +/g, ' '),
    ),
    folded,
  }
}

describe('formatted reply', () => {
  it.each(HTML_BODIES.map((each) => [each.name, each] as const))(
    'folds the quoted parts: %s',
    (_, { body, seen, folded = [], isForward }) => {
      const result = shown(dom(body, isForward))
      expect(result.seen).toBe(seen)
      expect(result.folded).toEqual(folded)
    },
  )

  it.each(HTML_BODIES.map((each) => [each.name, each] as const))('loses no text: %s', (_, { body, isForward }) => {
    const whole = dom(body, isForward)
    for (const summary of whole.querySelectorAll('summary')) summary.remove()
    const words = (text: string | undefined): string => (text ?? '').replace(/\s+/g, '')
    const plain = new DOMParser().parseFromString(body, 'text/html')
    expect(words(whole.querySelector('#linnet-mail')?.textContent)).toBe(words(plain.body.textContent))
  })
})

describe('plain-text reply', () => {
  it.each(TEXT_BODIES.map((each) => [each.name, each] as const))('%s', (_, { body, seen, folded = [], isForward }) => {
    const text = normalizeForPaging(body)
    const { blocks, next } = parseTextPage(text, findTextFolds(text, isForward))
    expect(next).toBeNull()
    const said = blocks.filter(({ fold }) => fold === null).flatMap(({ lines }) => lines)
    expect(linesOf(said.map((line) => line.map(({ text: words }) => words).join('')).join('\n'))).toBe(seen)
    expect([...new Set(blocks.flatMap(({ fold }) => (fold === null ? [] : [fold])))]).toEqual(folded)
  })
})

it('recognises a forward by its subject, but not a reply to one', () => {
  for (const subject of ['Fwd: Cam', 'FW: Cam', 'WG: Cam', 'TR : Cam', 'Fwd: Re: Cam', '转发：Cam']) {
    expect(isForwardSubject(subject)).toBe(true)
  }
  for (const subject of ['Re: Fwd: Cam', 'Forwards', 'Cam', '', null]) expect(isForwardSubject(subject)).toBe(false)
})
