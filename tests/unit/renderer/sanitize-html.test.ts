// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { buildFrameDocument } from '../../../src/renderer/features/bodies/frame-document.ts'
import { isEmailPicture, describeBlockedContent } from '../../../src/renderer/features/bodies/block-images.ts'
import { sanitizeHtml, type SafeHtml } from '../../../src/renderer/features/bodies/sanitize-html.ts'
import { showPictures } from '../../../src/renderer/features/bodies/show-pictures.ts'

const wordsOf = (safe: SafeHtml): string | null =>
  describeBlockedContent(safe, safe.pictures.filter((address) => !isEmailPicture(address)).length)

const dom = (html: string): Document => new DOMParser().parseFromString(sanitizeHtml(html).markup, 'text/html')

/** Samples that have broken a sanitiser or a mail client. */
const HOSTILE = [
  '<script>parent.x = 1</script>',
  '<img src=x onerror="parent.x = 1">',
  '<svg onload="parent.x = 1"><script>parent.x = 1</script></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<iframe src="https://evil.example" srcdoc="<script>1</script>"></iframe>',
  '<object data="https://evil.example"></object><embed src="https://evil.example">',
  '<form action="https://evil.example"><input name=password><button formaction=javascript:1>x</button></form>',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<base href="https://evil.example/">',
  '<link rel=stylesheet href="https://evil.example/a.css">',
  '<video src="https://evil.example/a.mp4" poster="https://evil.example/a.png" autoplay></video>',
  '<picture><source srcset="https://evil.example/a.png"><img srcset="https://evil.example/b.png 2x"></picture>',
  '<a href="javascript:parent.x=1">x</a><a href="  java&#10;script:parent.x=1">y</a><a href="data:text/html,1">z</a>',
  '<a href="https://evil.example" ping="https://evil.example/ping">x</a>',
  '<template><img src=x onerror=alert(1)></template>',
  '<div style="background:url(https://evil.example/a.png);position:fixed;inset:0">x</div>',
  '<style>@import url("https://evil.example/a.css"); p { background: URL( "https://evil.example/b.png" ) }</style><p>x',
  '<table background="https://evil.example/a.png"><tr><td background="//evil.example/b.png">x</table>',
  '<body onload="parent.x=1" background="https://evil.example/a.png">x</body>',
  '<p onclick=alert(1) onmouseover=alert(1) id=x name=y>x</p>',
  '<isindex action=javascript:1 type=image><marquee onstart=alert(1)>x</marquee>',
  '<div><!--[if mso]><img src="https://evil.example/a.png"><![endif]--></div>',
]

it('keeps structural ARIA roles, but no live regions or dialogs, in an e-mail', () => {
  const result = dom(
    '<table role="presentation"><tr><td role="ALERT" aria-live="assertive">Your session has ended</td></tr></table>' +
      '<div role="dialog" aria-modal="true">x</div><div role="application">y</div><p role="status" aria-atomic="true">z</p>' +
      '<div role="heading" aria-level="2">Title</div><a href="https://a.example" aria-label="read more">more</a>',
  )
  expect([...result.querySelectorAll('[role]')].map((element) => element.getAttribute('role'))).toEqual([
    'presentation',
    'heading',
  ])
  expect(result.querySelector('[aria-live], [aria-modal], [aria-atomic]')).toBeNull()
  expect(result.querySelector('a')?.getAttribute('aria-label')).toBe('read more')
  expect(dom('<img src="https://a.example/b" alt="c" height="9">').querySelector('[role=img]')).not.toBeNull()
})

describe('hostile HTML', () => {
  it.each(HOSTILE)('runs and requests nothing: %s', (html) => {
    const result = dom(`${html}<p>kept</p>`)
    const names = [...result.querySelectorAll('*')].map((element) => element.localName)
    for (const name of ['script', 'iframe', 'object', 'embed', 'form', 'input', 'button', 'meta', 'base', 'link']) {
      expect(names).not.toContain(name)
    }
    for (const name of ['svg', 'math', 'video', 'audio', 'picture', 'source', 'template', 'noscript']) {
      expect(names).not.toContain(name)
    }
    for (const element of result.querySelectorAll('*')) {
      for (const { name, value } of element.attributes) {
        expect(name).not.toMatch(/^on|^srcset$|^ping$|^action$|^formaction$|^background$|^poster$/)
        if (name === 'src') expect(value).toMatch(/^data:image\//)
        if (name === 'href') expect(value).toMatch(/^(https?:|mailto:|#)/)
        if (name === 'style') expect(value).not.toMatch(/evil/)
      }
    }
    for (const sheet of result.querySelectorAll('style')) expect(sheet.textContent).not.toMatch(/evil/)
    expect(result.querySelector('#linnet-mail')).not.toBeNull()
  })

  it.each([
    ...['accesskey', 'autofocus', 'contenteditable', 'download', 'draggable', 'hidden', 'inert', 'ismap'],
    ...['loading', 'nonce', 'popover', 'sizes', 'tabindex', 'usemap', 'data-x'],
  ])('loses attributes that only the window may set: %s', (name) => {
    const element = dom(`<p ${name}="1" lang="en">x</p>`).querySelector('p')
    expect(element?.getAttributeNames()).toEqual(['lang'])
  })

  it('keeps harmless parts', () => {
    const result = dom(
      '<h1 style="color: red">Hi</h1><table width="600"><tr><td align="center"><b>bold</b></td></tr></table>',
    )
    expect(result.querySelector('h1')?.getAttribute('style')).toContain('red')
    expect(result.querySelector('td')?.getAttribute('align')).toBe('center')
    expect(result.body.textContent).toBe('Hibold')
  })
})

describe('floating elements', () => {
  it('are made static, so they cover nothing', () => {
    const result = dom(
      '<style>.a { POSITION : sticky }</style><div style="position: fixed; inset: 0">Sign in again</div>',
    )
    expect(result.querySelector('style')?.textContent).toBe('.a { POSITION : static }')
    expect(result.querySelector('#linnet-mail > div')?.getAttribute('style')).toBe('position: static; inset: 0')
  })
})

describe('remote images', () => {
  it('are counted apart from tracking pixels', () => {
    const safe = sanitizeHtml(
      `<img src="https://a.example/logo.png" alt="Logo" width="120" height="40">
       <img src="//a.example/p.gif" width="1" height="1"><img src="http://a.example/q.gif" style="display:none">
       <img src="https://a.example/logo.png"><img src="HTTPS://a.example/r.gif" style="width:0;height:0">
       <table><td background="https://a.example/bg.png" style="color:red">x</table>
       <p style="background: url(https://a.example/p.png)">y</p>
       <style>@import url(https://a.example/i.css); @font-face { src: url(https://a.example/f.woff) }</style>`,
    )
    expect(safe.pictures).toEqual(['https://a.example/p.png', 'https://a.example/logo.png', 'https://a.example/bg.png'])
    expect([safe.trackingPixels, safe.others]).toEqual([3, 2])
    expect(wordsOf(safe)).toBe('3 pictures, 3 tracking pixels, and 2 styles or fonts')
    expect(describeBlockedContent(safe, 0)).toBe('3 tracking pixels and 2 styles or fonts')
    expect(safe.markup).not.toMatch(/a\.example/)
  })

  it.each([
    ['<img src="https://a.example/b">', '1 picture'],
    ['<img src="https://a.example/b"><img src="https://a.example/c" width="1">', '1 picture and 1 tracking pixel'],
    ['<img src="https://a.example/c" height="1">', '1 tracking pixel'],
    ['<link rel="stylesheet" href="https://a.example/d"><p>x', null],
    ['<style>@import "https://a.example/d"</style><p>x', '1 style or font'],
    [`<img src="https://a.example/${'b'.repeat(9_000)}">x`, null],
    ['<img src="b.png"><img src="ftp://a.example/b"><img src="javascript:b">x', null],
  ])('are summarised: %s', (html, words) => {
    expect(wordsOf(sanitizeHtml(html))).toBe(words)
  })

  it('load once in the best of several sizes', () => {
    expect(
      sanitizeHtml(
        '<img srcset="https://a.example/1.png, https://a.example/2.png 2x, https://a.example/4.png 4x">' +
          '<picture><source srcset="https://a.example/s.webp"><img srcset="https://a.example/w,400/x.png 400w,https://a.example/y.png 1200w"></picture>' +
          '<img src="https://a.example/own.png" srcset="https://a.example/other.png 2x">',
      ).pictures,
    ).toEqual(['https://a.example/2.png', 'https://a.example/y.png', 'https://a.example/own.png'])
  })

  it('replace their own placeholders once loaded', () => {
    const safe = sanitizeHtml(
      `<img src="https://a.example/a.png" alt="Logo" width="120" height="40"><img src="https://a.example/b.png" alt="Other">
       <p data-linnet-picture="0" style="background-image: url(https://a.example/c.png)"></p><img src="https://a.example/a.png">`,
    )
    const document = new DOMParser().parseFromString(buildFrameDocument(safe.markup, 'light', 14), 'text/html')
    const sources = () => [...document.querySelectorAll('img')].map((image) => image.getAttribute('src'))
    expect(safe.pictures).toEqual(['https://a.example/c.png', 'https://a.example/a.png', 'https://a.example/b.png'])
    expect(sources()).toEqual([null, null, null])
    expect(document.querySelectorAll('[role=img]')).toHaveLength(2)
    showPictures(document, [null, 'blob:a', null])
    showPictures(document, ['blob:c', 'blob:a', null])
    expect(sources()).toEqual(['blob:a', null, 'blob:a'])
    expect([...document.querySelectorAll('[role=img]')].map(({ textContent }) => textContent)).toEqual(['Other'])
    expect(document.querySelector('p')?.getAttribute('style')).toContain('var(--linnet-picture-0, none)')
    expect(document.documentElement.style.getPropertyValue('--linnet-picture-0')).toBe('url("blob:c")')
  })

  it('wait for a document that has only started', () => {
    const document = new DOMParser().parseFromString('', 'text/html')
    document.documentElement.remove()
    expect(() => showPictures(document, ['blob:a'])).not.toThrow()
  })

  it('exclude SVG, which can contain any number of shapes', () => {
    const safe = sanitizeHtml(
      '<img src="data:image/svg+xml,<svg/>" alt="drawn"><p style="background: url(data:image/svg+xml;base64,AAAA)">x</p>',
    )
    expect(safe.markup).not.toMatch(/svg/)
    expect(safe.markup).toContain('drawn')
  })

  it('keep their alt text and size', () => {
    const box = dom('<img src="https://a.example/logo.png" alt="Our logo" width="120" height="40">').querySelector(
      '[role=img]',
    )
    expect(box?.textContent).toBe('Our logo')
    expect(box?.getAttribute('style')).toBe('width: 120px; min-height: 40px;')
  })

  it('exclude images that came with the e-mail', () => {
    const safe = sanitizeHtml(
      '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="dot"><img src="cid:a" alt="Inline">',
    )
    expect(wordsOf(safe)).toBeNull()
    expect(safe.markup).toContain('src="data:image/gif')
    expect(safe.pictures).toEqual(['cid:a'])
    expect(safe.embedded).toEqual([14])
  })
})

describe('embedded pictures', () => {
  it('include bare file names and background attributes', () => {
    const dot = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='
    const safe = sanitizeHtml(
      `<img src="bare.png" alt="Bare"><img src="spacer.gif" width="1"><img src="h\tttps://a.example/b.png" alt="Far">
       <table background="images/ground%201.png"><tr><td background="${dot}">x</td></tr></table>`,
    )
    expect(safe.pictures).toEqual(['bare.png', 'https://a.example/b.png', 'images%2Fground%201.png'])
    expect([safe.trackingPixels, wordsOf(safe), safe.embedded]).toEqual([0, '1 picture', [14]])
    expect(safe.markup).toContain(`background-image:url(&quot;${dot}&quot;)`)
  })

  it('have placeholders from the start, which show why a picture is missing', () => {
    const safe = sanitizeHtml(
      '<img src="CID:one%40heron.example" alt="Chart" width="20"><img src="cid:&lt;two@heron.example&gt;">' +
        '<p style="background: url(cid:three)">x</p><img src="https://heron.example/a.png" alt="Logo">',
    )
    // Pictures in styles come first.
    const addresses = ['cid:three', 'cid:one%40heron.example', 'cid:two%40heron.example', 'https://heron.example/a.png']
    expect(safe.pictures).toEqual(addresses)
    expect(safe.others).toBe(0)
    expect(wordsOf(safe)).toBe('1 picture')
    const mail = new DOMParser().parseFromString(safe.markup, 'text/html')
    showPictures(mail, ['blob:3', null, null, null], [null, 'unreachable', 'not_found', null])
    const words = () => [...mail.querySelectorAll('[role=img]')].map((box) => box.textContent)
    expect(words()).toEqual(['Chart (not on this computer)', 'Not in this message', 'Logo'])
    showPictures(mail, ['blob:3', null, null, null], [null, 'refused', 'not_found', null])
    expect(words()[0]).toBe('Chart (cannot be shown)')
    showPictures(mail, ['blob:3', 'blob:1', null, null], [null, null, 'not_found', null])
    expect(words()).toEqual(['Not in this message', 'Logo'])
    expect(mail.querySelector('img')?.getAttribute('src')).toBe('blob:1')
    expect(mail.documentElement.style.getPropertyValue('--linnet-picture-0')).toBe('url("blob:3")')
  })
})

describe('links', () => {
  it('have no tooltips from the sender on, around or inside them', () => {
    const mail = dom(
      '<div title="https://bank.example"><a href="https://evil.example/" title="https://bank.example">Sign <b title="x">in</b></a></div>' +
        '<p>The <abbr title="HyperText">HTML</abbr> <a href="https://a.example/"><abbr title="bank.example">here</abbr></a></p>',
    )
    expect([...mail.querySelectorAll('[title]')].map((element) => element.textContent)).toEqual(['HTML'])
    expect(mail.querySelector('a')?.rel).toBe('noopener noreferrer')
  })

  it('receive their own clicks, whatever the styles say', () => {
    expect(sanitizeHtml('<p style="pointer-events:none">x</p>').markup).not.toContain('pointer-events:')
  })
})

describe('quoted text', () => {
  it('is folded once, below the reply', () => {
    const result = dom(
      '<p>My answer is here.</p><blockquote type="cite">one<blockquote type="cite">two</blockquote></blockquote>',
    )
    expect(result.querySelectorAll('details')).toHaveLength(1)
    expect(result.querySelector('summary')?.textContent).toBe('Show quoted textHide quoted text')
  })

  it('is folded together at the end, however much there is', () => {
    const quotes = '<blockquote type="cite">one<div class="gmail_quote">two</div></blockquote>'.repeat(400)
    const result = dom(`<p>My answer is here.</p>${quotes}`)
    expect(result.querySelectorAll('details')).toHaveLength(1)
    expect(result.querySelectorAll('details blockquote')).toHaveLength(400)
  })

  it('stays open if there is nothing else to read', () => {
    expect(dom('<div class="gmail_quote">Only this</div>').querySelector('details')).toBeNull()
  })
})

describe('sanitised e-mail', () => {
  it('can’t use the reader’s own IDs and classes', () => {
    const result = dom(
      '<style id="linnet-mail">p{}</style><p id="linnet-mail" class="linnet-quote big LINNET-image">x</p>',
    )
    expect(result.querySelectorAll('#linnet-mail')).toHaveLength(1)
    expect(result.querySelector('#linnet-mail')?.tagName).toBe('DIV')
    expect(result.querySelector('p')?.className).toBe('big')
  })

  it('shows the text of a frameset', () => {
    const html =
      '<html><frameset cols="50%,50%"><frame src="a"><noframes><body><p>Words.</p></body></noframes></frameset>'
    expect(dom(html).querySelector('#linnet-mail')?.textContent.trim()).toBe('Words.')
  })

  it('is empty if nothing is visible', () => {
    expect(sanitizeHtml('<div><script>1</script> </div>').isEmpty).toBe(true)
    expect(sanitizeHtml('<div><img src="cid:a" alt="Photo"></div>').isEmpty).toBe(false)
  })

  it('has an explicit text direction', () => {
    const result = dom('<div dir="auto">\u05e9\u05dc\u05d5\u05dd<p dir="auto">Hello</p></div>')
    expect(result.querySelectorAll('[dir="auto"]')).toHaveLength(0)
    expect(result.querySelector('#linnet-mail')?.getAttribute('dir')).toBe('rtl')
    expect(result.querySelector('p')?.dir).toBe('ltr')
  })

  it('limits nesting depth without losing text', () => {
    const result = dom(`${'<div>'.repeat(400)}deep${'</div>'.repeat(400)}<p>after</p>`)
    const depths = [...result.querySelectorAll('*')].map((element) => {
      let depth = 0
      for (let at = element.parentElement; at !== null; at = at.parentElement) depth += 1
      return depth
    })
    expect(Math.max(...depths)).toBeLessThan(210)
    expect(result.querySelector('#linnet-mail')?.textContent).toBe('deepafter')
  })

  it('splits joined words of thousands of letters', () => {
    const letters = '\u0645'.repeat(1000)
    const words = (html: string): readonly string[] =>
      (dom(html).querySelector('#linnet-mail')?.textContent ?? '').split(' ').filter((word) => word !== '')
    for (const html of [`<p>${letters}</p>`, `<p>${'<b>\u0645</b>'.repeat(1000)}</p>`]) {
      expect(words(html).map((word) => word.length)).toEqual([300, 300, 300, 100])
    }
    expect(words(`<p>${'\u0645\u0631\u062d\u0628\u0627 '.repeat(200)}</p>`)).toHaveLength(200)
    // Scripts without spaces get no visible ones.
    const thai = dom(`<p>${'\u0e2a\u0e27\u0e31\u0e2a'.repeat(200)}</p>`).querySelector('p')?.textContent ?? ''
    expect(thai.split('\u200b').map((part) => part.length)).toEqual([300, 300, 200])
  })

  it('limits row and column spans', () => {
    const result = dom('<table><tr><td rowspan="60000" colspan="1000">a</td><td colspan="3">b</td></tr></table>')
    const [wide, plain] = result.querySelectorAll('td')
    expect([wide?.rowSpan, wide?.colSpan, plain?.colSpan]).toEqual([1, 1, 3])
  })
})

describe('plain letter', () => {
  it.each(['<p>Hi</p>', '<div dir="ltr">Hi<br><a href="https://a.example">there</a></div>', '<ul><li>One</li></ul>'])(
    'has neither colours nor layout: %s',
    (html) => {
      expect(sanitizeHtml(html).isUnstyled).toBe(true)
    },
  )

  it.each([
    '<p style="color: #222">Hi</p>',
    '<font color="black">Hi</font>',
    '<body bgcolor="#ffffff">Hi</body>',
    '<style>p { margin: 0 }</style><p>Hi</p>',
    '<table><tr><td>Hi</td></tr></table>',
    '<p style="BACKGROUND: white">Hi</p>',
  ])('excludes HTML that could become unreadable on dark paper: %s', (html) => {
    expect(sanitizeHtml(html).isUnstyled).toBe(false)
  })
})

describe('e-mail frame', () => {
  it('starts with a policy that allows no scripts or connections', () => {
    const page = new DOMParser().parseFromString(buildFrameDocument('<p>Hi</p>', 'light', 14), 'text/html')
    const first = page.head.firstElementChild
    expect(first?.getAttribute('http-equiv')).toBe('Content-Security-Policy')
    const policy = first?.getAttribute('content') ?? ''
    expect(policy).toMatch(/^default-src 'none'/)
    expect(policy).not.toMatch(/script-src|connect-src|https?:|\*/)
  })

  it('takes nothing but a colour from the colour of the body', () => {
    const { markup } = sanitizeHtml('<body bgcolor="#000;position:fixed;inset:0;display:none">Hi</body>')
    expect(markup).not.toMatch(/position|display|inset/)
    expect(sanitizeHtml('<body bgcolor="336699">Hi</body>').markup).toContain('background-color:#336699')
  })

  it('moves the body’s colours to its own element', () => {
    const safe = sanitizeHtml('<html><body bgcolor="#ffeedd" style="font-family: serif">Hi</body></html>')
    expect(safe.markup).toMatch(/id="linnet-mail"[^>]*style="background-color:#ffeedd;font-family: serif"/)
  })
})

describe('words that need more than text', () => {
  const textOf = (html: string): string => dom(html).body.textContent.replace(/\s+/g, ' ').trim()

  it.each([
    ['<input type="checkbox" checked disabled> done <input type=CHECKBOX> open', '☑ done ☐ open'],
    ['<input type="radio" checked> a <input type="radio"> b', '☑ a ☐ b'],
    ['<span role="checkbox" aria-checked="true"></span>done', '☑ done'],
    ['<span role="checkbox" aria-checked="false">open</span>', '☐ open'],
    ['<ul><li data-checked="true">done</li> <li data-checked="false">open</li></ul>', '☑ done ☐ open'],
    ['<ul data-checked="true"><li data-checked="true"><input type="checkbox" checked>done</li></ul>', '☑done'],
    ['<li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" checked> done</li>', '☑ done'],
    ['<li class="task-list-item checked">done</li>', '☑ done'],
    ['<p data-list="bullet">no box</p><p role="checkbox" aria-checked="true">✔ own</p>', 'no box✔ own'],
    ['<input type="submit" value="Send"><input type="hidden" value="x"><input value="typed">', 'Sendtyped'],
  ])('include check boxes and fields: %s', (html, words) => {
    expect(textOf(html)).toBe(words)
  })

  it.each([
    ['<video src="https://a.example/v">Boat</video>', 'Boat'],
    ['<audio controls><source src="https://a.example/v"><p>Horn</p></audio>', 'Horn'],
    ['<noscript><p>Boat</p></noscript>', 'Boat'],
    ['<object data="x"><p>Boat</p></object><canvas>Tar</canvas>', 'BoatTar'],
    ['<iframe src="https://a.example"><p>The <b>boat</b></p></iframe>', 'The boat'],
    ['<math><mi>x</mi><mo>=</mo><mn>2</mn></math>', 'x=2'],
    ['<math><mfrac><mn>1</mn><mn>2</mn></mfrac><msqrt><mi>y</mi></msqrt></math>', '(1)/(2)√(y)'],
    ['<math><semantics><mi>x</mi><annotation>TeX</annotation></semantics></math>', 'x'],
    ['<template>unseen</template><script>unseen</script>seen', 'seen'],
  ])('stay without what a browser would load or run: %s', (html, words) => {
    const result = dom(html)
    expect(result.body.textContent.trim()).toBe(words)
    expect(result.querySelector('[src], video, audio, source, object, canvas, iframe, math, noscript')).toBeNull()
  })

  it('keep raised and lowered figures of a formula', () => {
    const result = dom(
      '<math><msup><mn>10</mn><mn>5</mn></msup><msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup></math>',
    )
    expect([...result.querySelectorAll('sup, sub')].map((element) => element.outerHTML)).toEqual([
      '<sup><span>5</span></sup>',
      '<sub><span>1</span></sub>',
      '<sup><span>2</span></sup>',
    ])
  })
})
