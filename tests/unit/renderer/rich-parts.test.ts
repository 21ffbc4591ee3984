// @vitest-environment jsdom
import type { Editor } from '@tiptap/core'
import { afterEach, describe, expect, it } from 'vitest'
import { FORMAT_TOOLS, menuTools, tableTools } from '../../../src/renderer/features/writing/format-tools.ts'
import { toOutgoingHtml } from '../../../src/renderer/features/writing/outgoing-html.ts'
import { toOutgoingText } from '../../../src/renderer/features/writing/outgoing-text.ts'
import { createRichEditor } from '../../../src/renderer/features/writing/rich-editor.ts'
import { serializeEditor } from '../../../src/renderer/features/writing/serialize-editor.ts'

let editor: Editor | null = null
afterEach(() => editor?.destroy())

// jsdom has no layout.
Range.prototype.getClientRects = () => [] as never
Range.prototype.getBoundingClientRect = () => new DOMRect()

const hasInlineImage = (contentId: string): boolean => contentId === 'x@y'

const edit = (html: string): Editor => {
  const element = document.createElement('div')
  document.body.append(element)
  editor = createRichEditor({
    ...{ element, html, attributes: {}, onChange: () => undefined, hasInlineImage },
    pictureOf: () => Promise.resolve(null),
  })
  return editor
}

const sent = (made: Editor): string => toOutgoingHtml(serializeEditor(made), hasInlineImage)

const paste = (made: Editor, html: string): void =>
  void made.view.pasteHTML(html, Object.assign(new Event('paste'), { clipboardData: null }) as never)

const run = (made: Editor, name: string): void => {
  const tools = [...FORMAT_TOOLS, ...(made.isActive('table') ? tableTools(made) : [])]
  tools.find((tool) => tool.name === name)?.run(made)
}

const press = (made: Editor, key: string, shiftKey = false): boolean => {
  const event = new KeyboardEvent('keydown', { key, shiftKey, cancelable: true })
  return made.view.someProp('handleKeyDown', (handle) => handle(made.view, event)) === true
}

const rows = (made: Editor): readonly string[] =>
  [...made.view.dom.querySelectorAll('tr')].map((row) => [...row.cells].map((cell) => cell.textContent).join('|'))

describe('underlined words', () => {
  it('are sent as such, come back with the draft, and leave plain text alone', () => {
    const made = edit('<p>Until noon.</p>')
    made.commands.setTextSelection({ from: 7, to: 11 })
    run(made, 'Underline')
    const html = sent(made)
    expect(html).toBe('<p style="margin:0 0 1em">Until <u>noon</u>.</p>')
    expect(toOutgoingText(html)).toBe('Until noon.')
    expect(sent(edit(html))).toBe(html)
  })

  it('stay in a paste, except those of links', () => {
    const made = edit('')
    paste(made, '<p><span style="text-decoration:underline">One</span> <a href="https://quay.example/">two</a></p>')
    expect(sent(made)).toContain('<u>One</u> <a href="https://quay.example/">two</a>')
    expect(sent(made).match(/<u>/g)).toHaveLength(1)
  })
})

describe('a table', () => {
  it('is filled and extended with Tab, and left below', () => {
    const made = edit('<p>See:</p>')
    made.commands.setTextSelection(5)
    run(made, 'Table')
    for (const cell of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']) {
      if (cell !== 'a') expect(press(made, 'Tab')).toBe(true)
      made.commands.insertContent(cell)
    }
    expect(rows(made)).toEqual(['a|b|c', 'd|e|f', 'g|h|i', 'j||'])
    expect(press(made, 'Tab', true)).toBe(true)
    made.commands.insertContent('I')
    expect(rows(made)).toEqual(['a|b|c', 'd|e|f', 'g|h|I', 'j||'])
    expect(made.state.doc.lastChild?.type.name).toBe('paragraph')
    made.commands.focus('end')
    expect(press(made, 'Tab')).toBe(false)
    expect(sent(edit(sent(made)))).toBe(sent(made))
  })

  it('replaces an empty line, and its tools change it', () => {
    const made = edit('<p></p><p>After</p>')
    made.commands.setTextSelection(1)
    run(made, 'Table')
    made.commands.insertContent('a')
    expect(rows(made)).toEqual(['a||', '||', '||'])
    run(made, 'Row above')
    run(made, 'Row below')
    run(made, 'Column before')
    run(made, 'Column after')
    expect(rows(made)).toEqual(['||||', '|a|||', '||||', '||||', '||||'])
    run(made, 'Header row')
    expect(made.view.dom.querySelectorAll('tr:first-child > th')).toHaveLength(5)
    expect(made.view.dom.querySelectorAll('th')).toHaveLength(5)
    run(made, 'Delete row')
    expect(rows(made)).toHaveLength(4)
    expect(rows(made).join('')).not.toContain('a')
    expect(menuTools(made).map(({ name }) => name)).not.toContain('Table')
    run(made, 'Delete table')
    expect(made.view.dom.querySelector('table')).toBeNull()
    expect(made.getText()).toContain('After')
  })

  it('may contain a pasted table, whose Tab order is its own', () => {
    const made = edit('')
    paste(made, `${'<table><tr><td>'.repeat(60)}deep${'</td></tr></table>'.repeat(60)}`)
    expect(made.getText()).toContain('deep')
    expect(sent(edit(sent(made)))).toBe(sent(made))
  })
})

describe('a picture', () => {
  const WITH_PICTURE = '<p>See <img src="cid:x@y" alt="Plan" width="240"></p>'

  const change = (made: Editor, name: string, value: unknown): void => {
    made.commands.setNodeSelection(5)
    made.view.dispatch(made.state.tr.setNodeAttribute(5, name, value))
  }

  it('keeps its width and description in the mail and the draft', () => {
    const made = edit(WITH_PICTURE)
    const image = made.view.dom.querySelector('img')
    expect(image?.style.width).toBe('240px')
    change(made, 'width', 120)
    change(made, 'alt', 'A "plan" <b>')
    expect(made.isActive('picture')).toBe(true)
    expect([image?.style.width, image?.alt]).toEqual(['120px', 'A "plan" <b>'])
    expect(sent(made)).toBe(
      '<p style="margin:0 0 1em">See <img src="cid:x@y" alt="A &quot;plan&quot; &lt;b&gt;" width="120" style="max-width:100%;height:auto"></p>',
    )
    expect(sent(edit(sent(made)))).toBe(sent(made))
    change(made, 'width', null)
    expect(sent(made)).not.toContain(' width=')
  })

  it('is never fetched, active or wider than a screen', () => {
    const made = edit('<p>Hi </p>')
    paste(
      made,
      '<img src="cid:x@y" width="99999" onload="alert(1)" style="width:99999px"><img src="cid:x@y" width="9999" alt="Big">' +
        '<img src="https://spy.example/a.png" alt="Remote"><img src="javascript:alert(1)" alt="Active"><img src="cid:other@y" alt="Other">',
    )
    const html = sent(made)
    expect(html.match(/<img /g)).toHaveLength(2)
    expect(html).not.toMatch(/9999|onload|spy|javascript/)
    expect(html).toContain('[Remote]')
    expect(html).toContain('[Other]')
    for (const image of made.view.dom.querySelectorAll('img')) expect(image.getAttribute('src')).toBeNull()
  })
})
