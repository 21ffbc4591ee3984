// @vitest-environment jsdom
import type { Editor } from '@tiptap/core'
import { afterEach, describe, expect, it } from 'vitest'
import { quoteEmail } from '../../../src/renderer/features/writing/quote-email.ts'
import { createRichEditor } from '../../../src/renderer/features/writing/rich-editor.ts'
import { serializeEditor } from '../../../src/renderer/features/writing/serialize-editor.ts'
import { toOutgoingHtml } from '../../../src/renderer/features/writing/outgoing-html.ts'
import { checkOutgoingHtml } from './support/check-outgoing-html.ts'

const quoted = async (html: string, contentIdOf?: (address: string) => string | null): Promise<string> => {
  const email = { html, text: null, from: 'a@a.example', to: [], cc: [], subject: null, date: 0 }
  const quote = (await quoteEmail('reply', email, contentIdOf)).html
  expect(checkOutgoingHtml(quote)).toEqual([])
  return quote.slice(quote.indexOf('<div>') + '<div>'.length, quote.lastIndexOf('</div>'))
}

let editor: Editor | null = null
afterEach(() => editor?.destroy())

const pasted = (html: string): string => {
  const element = document.createElement('div')
  document.body.append(element)
  const nothing = (): void => undefined
  editor = createRichEditor({
    ...{ element, html: '', attributes: {}, onChange: nothing, onMove: nothing, onFiles: nothing },
    ...{ pictureOf: () => Promise.resolve(null), hasInlineImage: () => false },
  })
  editor.view.pasteHTML(html, Object.assign(new Event('paste'), { clipboardData: null }) as ClipboardEvent)
  return toOutgoingHtml(serializeEditor(editor))
}

const STRUCK = [
  '<del>20</del> 15',
  '<s>20</s> 15',
  '<strike>20</strike> 15',
  '<span style="text-decoration:line-through">20</span> 15',
  '<span style="text-decoration-line:line-through">20</span> 15',
  '<style>.old{text-decoration:line-through}</style><span class="old">20</span> 15',
  '<ins style="text-decoration:line-through">20</ins> 15',
  '<label style="text-decoration:underline line-through">20</label> 15',
]

describe('struck-out words', () => {
  it.each(STRUCK)('stay so in a quote: %s', async (html) => {
    expect(await quoted(html)).toMatch(/<s>(?:<u>)?20(?:<\/u>)?<\/s> 15/)
  })

  it.each(STRUCK)('stay so in a paste: %s', (html) => {
    expect(pasted(html)).toMatch(/<s>20<\/s>(?:<\/u>)? 15/)
  })

  it('stay so when a block strikes them out', async () => {
    expect(await quoted('<div style="text-decoration:line-through"><p>a <b>b</b></p></div>')).toContain(
      '<s>a <b>b</b></s>',
    )
  })

  it('are plain if a style takes the line off', async () => {
    expect(await quoted('<del style="text-decoration:none">20</del>')).toBe('20')
  })
})

describe('raised and lowered figures', () => {
  it.each([
    ['10<sup>5</sup>', '10<sup>5</sup>'],
    ['CO<sub>2</sub>', 'CO<sub>2</sub>'],
    ['m<span style="vertical-align:super;font-size:70%">2</span>', 'm<sup>2</sup>'],
    ['<style>.n{vertical-align:sub}</style>H<span class="n">2</span>O', 'H<sub>2</sub>O'],
  ])('stay: %s', async (html, sent) => {
    expect(await quoted(html)).toContain(sent)
    expect(pasted(html)).toContain(sent)
  })

  it('end where typing continues', () => {
    pasted('10<sup>5</sup>')
    if (editor === null) return
    editor.commands.setTextSelection(editor.state.doc.content.size)
    editor.commands.insertContent(' m')
    expect(toOutgoingHtml(serializeEditor(editor))).toContain('10<sup>5</sup> m')
  })
})

describe('lines and spaces', () => {
  it.each(['pre-wrap', 'pre', 'break-spaces'])('stay with white-space: %s', async (value) => {
    const html = `<div style="white-space:${value}">one\n  two\n\nthree</div>`
    expect(await quoted(html)).toContain('one<br>&nbsp; two<br><br>three')
    expect(pasted(html)).toContain('one<br>&nbsp; two<br><br>three')
  })

  it('stay without spaces with white-space: pre-line', async () => {
    expect(await quoted('<div style="white-space:pre-line">one\n  two</div>')).toContain('one<br>  two')
  })

  it('stay with lines that a style makes', async () => {
    const html =
      '<p><span style="display:block">one</span><a href="https://a.example/" style="display:block">two</a></p>'
    expect(await quoted(html)).toBe('<div><div>one</div><div><a href="https://a.example/">two</a></div></div>')
  })

  it('stay in nested layout tables', async () => {
    const cell = (words: string): string => `<table><tr><td>${words}</td></tr></table>`
    expect(await quoted(cell(`${cell('one')}${cell('two')}`))).toMatch(/<div>one<\/div>.*<div>two<\/div>/)
  })
})

describe('colours of words', () => {
  it.each([
    ['<font style="color:red">a</font>', '<span style="color:#ff0000">a</span>'],
    ['<style>.w{color:#c00}</style><b class="w">a</b>', '<span style="color:#cc0000"><b>a</b></span>'],
    // Lime can't be read on white.
    ['<span style="color:#0f0">a</span>', '<span style="color:#009900">a</span>'],
    ['<span style="background:yellow">a</span>', '<span style="background-color:#ffff00;color:#000000">a</span>'],
    [
      '<span style="background:#036;color:#fff">a</span>',
      '<span style="background-color:#003366;color:#ffffff">a</span>',
    ],
  ])('stay in a quote: %s', async (html, sent) => {
    expect(await quoted(html)).toBe(sent)
  })

  it.each(['color:#666', 'color:#000', 'color:white', 'background:#fff', 'color:transparent'])(
    'go without a meaning: %s',
    async (style) => {
      expect(await quoted(`<span style="${style}">a</span>`)).toBe('a')
    },
  )

  it('are not pasted', () => {
    expect(pasted('<span style="color:red;background:yellow">a</span>')).not.toMatch(/color|span/)
  })

  it('of outgoing HTML are readable, whoever wrote it', () => {
    expect(toOutgoingHtml('<span style="color:#ffffff">a</span>')).toBe('<span style="color:#808080">a</span>')
    expect(toOutgoingHtml('<span style="color:red;position:fixed">a</span>')).not.toMatch(/position/)
  })
})

describe('pictures', () => {
  const DOT = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='
  const html = `<p><img src="${DOT}" alt="Chart"> <img src="cid:pier%40a.example" alt="Pier"> <img src="https://a.example/p.png" alt="Boat"></p>`

  it('of the e-mail itself stay where they are', async () => {
    const addresses: string[] = []
    const sent = await quoted(html, (address) => {
      addresses.push(address)
      return `${addresses.length}@linnet`
    })
    expect(addresses).toEqual([DOT, 'cid:pier%40a.example'])
    expect(sent).toMatch(/<img [^>]*cid:1@linnet[^>]*> <img [^>]*cid:2@linnet[^>]*> \[Boat\]/)
  })

  it('become their alt text if they are not sent', async () => {
    expect(await quoted(html)).toContain('[Chart] [Pier] [Boat]')
  })
})

it('keeps the direction of words and blocks', async () => {
  expect(await quoted('<p style="direction:rtl">a <span dir="ltr">b</span></p>')).toBe(
    '<p dir="rtl" style="margin:0 0 1em">a <span dir="ltr">b</span></p>',
  )
})

it('writes the quotation marks that browsers draw', async () => {
  expect(await quoted('<q>Yes</q>')).toBe('“Yes”')
})
