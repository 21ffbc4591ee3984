import fc from 'fast-check'
import { JSDOM } from 'jsdom'
import { describe, expect, test } from 'vitest'
import { sanitizeHtml } from '../../src/page/sanitize-html.ts'
import { hostileCorpus } from '../../../../tests/support/hostile-corpus.ts'

const FORBIDDEN =
  /^(?:script|link|meta|base|iframe|frame|frameset|object|embed|applet|form|input|button|select|textarea|svg|math|template|noscript|audio|video|source|track|picture|portal|plaintext|xmp|title)$/

/** Dangerous parts that a browser would find in the HTML. */
const dangersIn = (html: string): readonly string[] =>
  [...new JSDOM(html).window.document.querySelectorAll('*')].flatMap(
    ({ localName: tagName, attributes, namespaceURI }) => [
      ...(FORBIDDEN.test(tagName) || namespaceURI?.endsWith('/xhtml') !== true ? [tagName] : []),
      ...[...attributes]
        .filter(({ name, value }) => {
          if (name === 'href') return tagName !== 'a' || !/^\s*(?:https?:\/\/|mailto:|tel:)/i.test(value)
          if (name === 'src') return tagName !== 'img' || !/^\s*data:image\//i.test(value)
          return /^on|^(?:action|background|data|formaction|ping|poster|srcdoc|srcset|http-equiv|autofocus|name)$|:/.test(
            name,
          )
        })
        .map(({ name, value }) => `${tagName} ${name}=${value}`),
    ],
  )

describe('HTML for the web page', () => {
  test.each(hostileCorpus('hostile.example').map(({ name, html }) => [name, html] as const))(
    'is harmless for hostile mail: %s',
    (_name, html) => {
      expect(dangersIn(sanitizeHtml(html).html)).toEqual([])
    },
  )

  test('is harmless for any order of hostile parts', () => {
    const pieces = fc.constantFrom(
      ...[
        '<',
        '>',
        '</',
        '/>',
        '<!--',
        '-->',
        '<!-->',
        '--!>',
        '<![CDATA[',
        ']]>',
        '"',
        "'",
        '=',
        '`',
        ' ',
        '\n',
        '\0',
        '&lt;',
        '&#x3c',
      ],
      ...[
        '<svg>',
        '<math>',
        '<mi>',
        '<style>',
        '</style>',
        '<title>',
        '</title>',
        '<noscript>',
        '<textarea>',
        '<xmp>',
        '<plaintext>',
      ],
      ...[
        '<table>',
        '<a href="javascript:x">',
        '<p title="',
        '<img src=http://x.example/ onerror=x>',
        '<script>',
        '</script>',
        '<body onload=x>',
      ],
      ...[
        '<link rel=preconnect href=//x.example>',
        '<meta http-equiv=refresh content=0>',
        '<template>',
        '<select>',
        '<iframe srcdoc="',
        'x',
      ],
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        expect(dangersIn(sanitizeHtml(parts.join('')).html)).toEqual([])
      }),
      { numRuns: 2000 },
    )
  })

  test('keeps what mail is made of', () => {
    const html =
      '<style>td > b { color: red }</style><table width="600" bgcolor=#eee><tr><td align=center style="color:&quot;red&quot;">a &amp; b<br>' +
      '<b class="x">&lt;c&gt;</b></td></tr></table><img src="data:image/png;base64,AAAA" alt="dot">'
    expect(sanitizeHtml(html)).toEqual({
      html:
        '<style>td > b { color: red }</style><table width="600" bgcolor="#eee"><tr><td align="center" style="color:&quot;red&quot;">' +
        'a &amp; b<br><b class="x">&lt;c&gt;</b></td></tr></table><img alt="dot" src="data:image/png;base64,AAAA">',
      remoteImages: 0,
    })
  })

  test('opens links in a new tab, to safe targets only', () => {
    expect(sanitizeHtml('<a href="https://a.example/?b=1&amp;c" target=_top onclick=x>a</a>').html).toBe(
      '<a href="https://a.example/?b=1&amp;c" target="_blank" rel="noopener noreferrer">a</a>',
    )
    for (const href of ['javascript:x', 'data:text/html,x', '/inboxes', '//a.example', '#x', ' java\nscript:x']) {
      expect(sanitizeHtml(`<a href="${href}">a</a>`).html, href).toBe('<a>a</a>')
    }
  })

  test('counts blocked images and shows their alt text', () => {
    expect(sanitizeHtml('<p><img src="https://a.example/b.png" alt="A <b>"><img src=cid:x><img></p>')).toEqual({
      html: '<p>A &lt;b&gt;</p>',
      remoteImages: 2,
    })
  })

  test('continues after a self-closed element, but not after an unclosed script', () => {
    expect(sanitizeHtml('a<svg/>b<input>c<embed src=x>d').html).toBe('abcd')
    expect(sanitizeHtml('a<script/>b').html).toBe('a')
    expect(sanitizeHtml('a<video><video></video>b</video>c').html).toBe('ac')
  })
})
