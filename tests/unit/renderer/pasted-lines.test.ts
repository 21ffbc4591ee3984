// @vitest-environment jsdom
import type { Editor } from '@tiptap/core'
import { afterEach, describe, expect, it } from 'vitest'
import { sanitizePaste } from '../../../src/renderer/features/writing/sanitize-paste.ts'
import { toOutgoingHtml } from '../../../src/renderer/features/writing/outgoing-html.ts'
import { toOutgoingText } from '../../../src/renderer/features/writing/outgoing-text.ts'
import { serializeEditor } from '../../../src/renderer/features/writing/serialize-editor.ts'
import { createRichEditor } from '../../../src/renderer/features/writing/rich-editor.ts'

let editor: Editor | null = null
afterEach(() => editor?.destroy())

const edit = (): Editor => {
  const element = document.createElement('div')
  document.body.append(element)
  const nothing = (): void => undefined
  editor = createRichEditor({
    ...{ element, html: '', attributes: {}, onChange: nothing, onFiles: nothing },
    ...{ pictureOf: () => Promise.resolve(null), hasInlineImage: () => false },
  })
  return editor
}

/** The test DOM has no ClipboardEvent. */
const pasting = (): ClipboardEvent => Object.assign(new Event('paste'), { clipboardData: null })

const sent = (html: string): string => toOutgoingHtml(html)

const CODE = 'if (a) {\n    b()\n\tc(1,  2)\n}'
const PLAIN = 'if (a) {\n    b()\n    c(1,  2)\n}'

describe('pasted code', () => {
  it('keeps lines and indents, as plain text', () => {
    const made = edit()
    made.view.pasteText(CODE, pasting())
    expect(made.getJSON().content).toHaveLength(1)
    expect(toOutgoingText(sent(serializeEditor(made)))).toBe(PLAIN)
  })

  it('keeps empty lines between lines', () => {
    const made = edit()
    made.view.pasteText('  one\r\ntwo\r\n\r\n  three', pasting())
    expect(made.getJSON().content).toHaveLength(3)
    expect(toOutgoingText(sent(serializeEditor(made)))).toBe('  one\ntwo\n\n  three')
  })

  it.each([
    [
      'of an editor that says that blanks are seen',
      `<meta charset="utf-8"><div style="font-family:monospace;white-space: pre;">${CODE.split('\n')
        .map((line) => `<div><span style="color:#0000ff">${line}</span></div>`)
        .join('')}</div>`,
    ],
    [
      'with blanks that do not break',
      CODE.split('\n')
        .map((line) => `<div>${line.replace(/\t/g, '    ').replaceAll(' ', '&nbsp;')}</div>`)
        .join('\n'),
    ],
    ['in one element', `<span style="white-space:pre-wrap">${CODE}</span>`],
    ['with line breaks', `<p style="white-space:break-spaces">${CODE.replaceAll('\n', '<br>')}</p>`],
  ])('keeps lines and indents, as HTML %s', (_, html) => {
    const made = edit()
    made.view.pasteHTML(html, pasting())
    expect(made.getJSON().content).toHaveLength(1)
    expect(toOutgoingText(sent(serializeEditor(made)))).toBe(PLAIN)
  })

  it('is unchanged in a code block', () => {
    const made = edit()
    made.view.pasteHTML(`<pre><code>${CODE}</code></pre>`, pasting())
    expect(toOutgoingText(sent(serializeEditor(made)))).toBe(CODE)
  })

  it('collapses source whitespace in ordinary web text', () => {
    expect(toOutgoingText(sanitizePaste('<div>\n    <p>One   two\n      three</p>\n    </div>'))).toBe('One two three')
    expect(sanitizePaste('<div>One</div><div><br></div><div>two</div><div>three</div>')).toMatch(
      /^<p[^>]*>One<\/p><p[^>]*>two<br>three<\/p>$/,
    )
  })

  it('sends consecutive spaces that were typed', () => {
    const made = edit()
    made.commands.insertContent([{ type: 'text', text: '  a   b' }])
    expect(toOutgoingText(sent(serializeEditor(made)))).toBe('  a   b')
  })
})

describe('line started with Enter', () => {
  const LINES =
    '<p style="margin:0">Hello</p><p style="margin:0">there</p><p style="margin:0"><br></p><p style="margin:0">Ada</p>'

  it('looks the same in both parts of the message', () => {
    const made = edit()
    made.commands.insertContent('Hello')
    made.commands.splitBlock()
    made.commands.insertContent('there')
    made.commands.splitBlock()
    made.commands.splitBlock()
    made.commands.insertContent('Ada')
    expect(made.view.dom.querySelectorAll('p[data-spaced]')).toHaveLength(0)
    expect(sent(serializeEditor(made))).toBe(LINES)
    expect(toOutgoingText(sent(serializeEditor(made)))).toBe('Hello\nthere\n\nAda')
    expect(toOutgoingHtml(LINES)).toBe(LINES)
  })

  it('follows a spaced paragraph, which keeps its spacing', () => {
    const made = edit()
    made.commands.setContent('<p>Older words</p>')
    expect(made.view.dom.querySelectorAll('p[data-spaced]')).toHaveLength(1)
    made.commands.setTextSelection(made.state.doc.content.size - 1)
    made.commands.splitBlock()
    made.commands.insertContent('one')
    made.commands.splitBlock()
    made.commands.insertContent('two')
    expect(sent(serializeEditor(made))).toBe(
      '<p style="margin:0 0 1em">Older words</p><p style="margin:0">one</p><p style="margin:0">two</p>',
    )
    expect(toOutgoingText(sent(serializeEditor(made)))).toBe('Older words\n\none\ntwo')
  })

  it.each([
    ['paragraphs of a page', '<p>One</p><p>two</p>', 'One\n\ntwo'],
    ['lines of a mail program', '<p style="margin: 0cm">One</p><p style="margin-bottom:0pt">two</p>', 'One\ntwo'],
    ['a list between words', '<p>One</p><ul><li><p>a</p></li></ul><p>two</p>', 'One\n\n- a\n\ntwo'],
  ])('continues after pasted %s as displayed', (_, html, text) => {
    const made = edit()
    made.view.pasteHTML(html, pasting())
    expect(made.view.dom.querySelectorAll('p[data-spaced]')).toHaveLength(0)
    expect(toOutgoingText(sent(serializeEditor(made)))).toBe(text)
  })
})
