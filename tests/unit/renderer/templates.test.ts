// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { sanitizePaste } from '../../../src/renderer/features/writing/sanitize-paste.ts'
import { unwrapSingleParagraph } from '../../../src/renderer/features/writing/fill-snippet.ts'
import { fillTemplate } from '../../../src/renderer/features/writing/insert-canned-reply.ts'
import { fillVariables, findPlaceholders, type PlaceholderValues } from '../../../src/shared/placeholders.ts'
import type { TemplateVariable } from '../../../src/shared/templates.ts'

const VALUES: PlaceholderValues = {
  ...{ first_name: 'Ann', last_name: null, name: 'Ann', email: 'ann@example.com', subject: null },
  ...{ sender_name: 'Support', sender_email: 'support@example.com' },
  properties: {
    company: '<b>Acme</b> & Sons',
    Seats: 12,
    plan: 'many',
    page: 'https://acme.example/?a=1&b=2',
    trap: 'javascript:alert(1)',
  },
}
const VARIABLES: readonly TemplateVariable[] = [
  { key: 'PLAN', type: 'number', fallback: '3' },
  { key: 'CASE', type: 'string', fallback: 'your case' },
  { key: 'ORDER', type: 'string', fallback: null },
]
const fill = (text: string): string => fillVariables(text, VALUES, VARIABLES)
const insert = (html: string): string =>
  sanitizePaste(unwrapSingleParagraph(fillTemplate({ html, variables: VARIABLES }, VALUES)))

describe('template variable', () => {
  it('is filled from the contact by name or property, in any case', () => {
    expect(fill('{{{FIRST_NAME}}} {{{contact.email}}} {{{ SEATS }}} {{{contact.properties.company}}}')).toBe(
      'Ann ann@example.com 12 <b>Acme</b> & Sons',
    )
  })

  it('falls back to its own default, then to the template’s', () => {
    expect(fill('{{{LAST_NAME|there}}}, {{{CASE}}}, {{{CASE|it}}}, {{{constructor|none}}}')).toBe(
      'there, your case, it, none',
    )
    // PLAN is a number, so the contact's text doesn't count.
    expect(fill('{{{PLAN}}}')).toBe('3')
  })

  it('stays visible without a value, and is asked about before sending', () => {
    const text = fill('{{{ORDER}}} {{{LAST_NAME}}} ${{{PRICE}}} {{{__proto__}}}')
    expect(text).toBe('{{{ORDER}}} {{{LAST_NAME}}} ${{{PRICE}}} {{{__proto__}}}')
    expect(findPlaceholders(`${text} {first_name} /{id}`)).toEqual([
      '{{{ORDER}}}',
      '{{{LAST_NAME}}}',
      '{{{PRICE}}}',
      '{{{__proto__}}}',
      '{first_name}',
    ])
  })

  it('is filled once, so values are never expanded', () => {
    const values = { ...VALUES, first_name: '{{{EMAIL}}}' }
    expect(fillVariables('{{{FIRST_NAME}}}', values, [])).toBe('{{{EMAIL}}}')
  })
})

describe('template', () => {
  it('keeps its structure and escapes values', () => {
    expect(insert('<html><body><h1>Hi {{{FIRST_NAME}}}</h1><p>{{{COMPANY}}}</p></body></html>')).toMatch(
      /<h1[^>]*>Hi Ann<\/h1><p[^>]*>&lt;b&gt;Acme&lt;\/b&gt; &amp; Sons<\/p>/,
    )
  })

  it('drops everything that runs, loads, submits or hides', () => {
    const html = insert(`<html><head><style>.gone { display: none }</style></head><body onload="alert(1)">
      <div class="gone">preview of it</div><div style="display:none">and this</div>
      <script>alert(1)</script><img src="https://tracker.example/{{{EMAIL}}}.gif" alt="Logo of {{{COMPANY}}}">
      <form action="https://evil.example"><input name="password"></form><iframe src="https://evil.example"></iframe>
      <svg onload="alert(1)"></svg><p style="background:url(https://evil.example/a.png)" onclick="x()">Words</p>
      <a href="javascript:alert(1)">trap</a></body></html>`)
    expect(html).toContain('Words')
    expect(html).toContain('[Logo of &lt;b&gt;Acme&lt;/b&gt; &amp; Sons]')
    expect(html).not.toMatch(
      /<(?:script|img|form|input|iframe|svg|style)|on\w+=|url\(|javascript:|tracker|preview|and this/i,
    )
  })

  it('fills link addresses, and shows the variable if one is missing', () => {
    expect(insert('<p>A <a href="{{{PAGE}}}">page</a></p>')).toContain('<a href="https://acme.example/?a=1&amp;b=2">')
    expect(insert('<p>A <a href="https://x.example/?c={{{COMPANY}}}">page</a></p>')).toContain(
      'href="https://x.example/?c=%3Cb%3EAcme%3C%2Fb%3E%20%26%20Sons"',
    )
    const lacking = insert('<p>A <a href="https://x.example/{{{ORDER}}}"><b>page</b></a> now</p>')
    expect(lacking).not.toContain('href')
    expect(lacking).toContain('<b>page</b> {{{ORDER}}} now')
    expect(insert('<p>A <a href="{{{TRAP}}}">page</a> b</p>')).toBe('A page b')
  })
})
