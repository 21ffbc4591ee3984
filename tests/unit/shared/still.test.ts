import { describe, expect, it } from 'vitest'
import { escapeHtml } from '../../../src/shared/escape-html.ts'
import { isStill, MOST_STILL } from '../../../src/shared/still.ts'

const SOUND =
  '<div class="window svelte-1a" style="width: 360px"><svg viewBox="0 0 24 24"><path d="M1 2"></path></svg>' +
  '<span aria-selected="true" data-theme="dark">Fog &amp; &lt;rain&gt; &quot;soon&quot;</span><input type="text" placeholder="Search"></div>'

describe('a still', () => {
  it('is known elements with known attributes, each with its end, and escaped text', () => {
    expect(isStill(SOUND)).toBe(true)
  })

  it('is not cut off, wherever that is', () => {
    for (let end = 0; end < SOUND.length; end += 1)
      expect(isStill(SOUND.slice(0, end)), SOUND.slice(0, end)).toBe(false)
  })

  it.each([
    ['a script', '<script>alert(1)</script>'],
    ['a frame', '<iframe srcdoc="x"></iframe>'],
    ['a picture', '<img src="https://tracker.example/a.png">'],
    ['a style sheet', '<style>body { background: red }</style>'],
    ['a link to elsewhere', '<a href="https://elsewhere.example">a</a>'],
    ['what is run', '<div onclick="alert(1)">a</div>'],
    ['what is run by an icon', '<svg onload="alert(1)"></svg>'],
    ['a reference of an icon', '<svg><use xlink:href="#a"></use></svg>'],
    ['another element’s name', '<div id="app">a</div>'],
    ['an address in a style', '<div style="background: url(https://tracker.example)">a</div>'],
    ['an address in a style, hidden by an escape', '<div style="background: \\75rl(a)">a</div>'],
    ['a picture in a style', '<div style="background: image-set(&quot;a&quot; 1x)">a</div>'],
    ['a button that takes a picture', '<input type="image">'],
    ['a comment', '<div><!-- a --></div>'],
    ['loose text', 'a < b'],
    ['an ampersand that stands alone', '<p>a & b</p>'],
    ['an ampersand in an attribute', '<p class="a&b">a</p>'],
    ['another entity', '<p>&nbsp;</p>'],
    ['an attribute without quotes', '<div class=a>a</div>'],
    ['an attribute in other quotes', "<div class='a'>a</div>"],
    ['an end that nothing began', 'a</div>'],
    ['ends in another order', '<div><p></div></p>'],
    ['an end too few', '<div><p></p>'],
    ['nothing', ''],
    ['too many levels', `${'<div>'.repeat(101)}${'</div>'.repeat(101)}`],
    ['too much', 'a'.repeat(MOST_STILL + 1)],
  ])('has in it no %s', (_, markup) => {
    expect(isStill(markup)).toBe(false)
  })

  it('has any text in it, which ends nothing', () => {
    const hostile = `</span></div><script>alert("1")</script><!-- & &lt; ' " \u2028 $& </body>`
    const markup = `<div class="${escapeHtml(hostile)}">${escapeHtml(hostile)}</div>`
    expect(isStill(markup)).toBe(true)
    expect(markup.match(/</g)).toHaveLength(2)
  })
})
