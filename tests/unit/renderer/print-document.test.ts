// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { buildPrintDocument } from '../../../src/renderer/features/source/print-document.ts'

const HOSTILE = `</dd><script>alert(1)</script>"'&<b>`

describe('printed document', () => {
  it('escapes headers and text', () => {
    const html = buildPrintDocument(HOSTILE, [{ head: [['From', HOSTILE]], body: HOSTILE }])
    const { head, body } = new DOMParser().parseFromString(html, 'text/html')
    expect(body.querySelector('script, b, dd dd')).toBeNull()
    expect([
      head.querySelector('title')?.textContent,
      body.querySelector('h1')?.textContent,
      body.querySelector('dd')?.textContent,
      body.querySelector('pre')?.textContent,
    ]).toEqual([HOSTILE, HOSTILE, HOSTILE, HOSTILE])
  })

  it('isolates each e-mail in a shadow tree', () => {
    const markup = '<div id="linnet-mail"><style>h1 { display: none }</style>Hello</div>'
    const html = buildPrintDocument(
      'Two',
      ['', '--picture: url("data:,")'].map((properties) => ({ head: [], body: { markup, properties } })),
    )
    const { body } = new DOMParser().parseFromString(html, 'text/html')
    const mails = [...body.querySelectorAll<HTMLElement>('.printed-mail')]
    expect(mails.map((each) => each.getAttribute('style'))).toEqual(['', '--picture: url("data:,")'])
    expect(mails.map((each) => each.querySelector('template')?.getAttribute('shadowrootmode'))).toEqual([
      'open',
      'open',
    ])
    expect(body.querySelector('style')).toBeNull()
  })

  it('forbids loading and scripts by its policy', () => {
    const html = buildPrintDocument('One', [
      { head: [], body: { markup: '<div id="linnet-mail"></div>', properties: '' } },
    ])
    const { head } = new DOMParser().parseFromString(html, 'text/html')
    expect(head.querySelector('meta[http-equiv="Content-Security-Policy"]')?.getAttribute('content')).toContain(
      "default-src 'none'",
    )
  })
})
