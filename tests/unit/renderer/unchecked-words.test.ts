// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest'
import { toOutgoingHtml } from '../../../src/renderer/features/writing/outgoing-html.ts'
import { serializeEditor } from '../../../src/renderer/features/writing/serialize-editor.ts'
import { createRichEditor } from '../../../src/renderer/features/writing/rich-editor.ts'

let destroy: () => void = () => undefined
afterEach(() => destroy())

const edit = (html: string): { readonly unchecked: readonly string[]; readonly html: string } => {
  const element = document.createElement('div')
  document.body.append(element)
  const nothing = (): void => undefined
  const editor = createRichEditor({
    ...{ element, html, attributes: {}, onChange: nothing, onFiles: nothing },
    pictureOf: () => Promise.resolve(null),
    hasInlineImage: () => true,
  })
  destroy = () => editor.destroy()
  const unchecked = [...element.querySelectorAll('[spellcheck=false]')].map(({ textContent }) => textContent)
  return { unchecked, html: toOutgoingHtml(serializeEditor(editor)) }
}

describe('text without spell checking', () => {
  it('includes addresses anywhere in a line', () => {
    const { unchecked } = edit(
      '<p>See https://quay.example/wharff?a=1 or ask ada@quay.example, <b>www.pierr.example</b> at noon @ five</p>',
    )
    expect(unchecked).toEqual(['https://quay.example/wharff?a=1', 'ada@quay.example', 'www.pierr.example'])
  })

  it('includes an address after a picture, but no words around it', () => {
    expect(edit('<p>a<img src="cid:x@y">bb ada@quay.example cc</p>').unchecked).toEqual(['ada@quay.example'])
  })

  it('includes code, without a trace in the sent HTML', () => {
    const { unchecked, html } = edit(
      '<p>Run <code>npm tset</code> now</p><pre><code>lett a\nada@b.example</code></pre>',
    )
    expect(unchecked).toEqual(['npm tset', 'lett a\nada@b.example'])
    expect(html).not.toContain('spellcheck')
  })

  it('is found quickly in very long text', () => {
    const started = performance.now()
    edit(`<p>${'a'.repeat(200_000)}</p>`)
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})
