import { describe, expect, it } from 'vitest'
import { escapeHtml } from '../../../src/shared/escape-html.ts'
import { isSnapshot, MAX_SNAPSHOT_LENGTH } from '../../../src/shared/startup-snapshot.ts'

const SOUND =
  '<div class="window svelte-1a" style="width: 360px"><svg viewBox="0 0 24 24"><path d="M1 2"></path></svg>' +
  '<span aria-selected="true" data-theme="dark">Fog &amp; &lt;rain&gt; &quot;soon&quot;</span><input type="text" placeholder="Search"></div>'

describe('startup snapshot', () => {
  it('accepts known elements and attributes, complete and escaped', () => {
    expect(isSnapshot(SOUND)).toBe(true)
  })

  it('is invalid if cut off anywhere', () => {
    for (let end = 0; end < SOUND.length; end += 1)
      expect(isSnapshot(SOUND.slice(0, end)), SOUND.slice(0, end)).toBe(false)
  })

  it.each([
    ['a script', '<script>alert(1)</script>'],
    ['a frame', '<iframe srcdoc="x"></iframe>'],
    ['a picture', '<img src="https://tracker.example/a.png">'],
    ['a style sheet', '<style>body { background: red }</style>'],
    ['an external link', '<a href="https://elsewhere.example">a</a>'],
    ['an event handler', '<div onclick="alert(1)">a</div>'],
    ['an event handler of an icon', '<svg onload="alert(1)"></svg>'],
    ['a reference of an icon', '<svg><use xlink:href="#a"></use></svg>'],
    ['an ID', '<div id="app">a</div>'],
    ['an address in a style', '<div style="background: url(https://tracker.example)">a</div>'],
    ['an address in a style, hidden by an escape', '<div style="background: \\75rl(a)">a</div>'],
    ['a picture in a style', '<div style="background: image-set(&quot;a&quot; 1x)">a</div>'],
    ['an image button', '<input type="image">'],
    ['a comment', '<div><!-- a --></div>'],
    ['loose text', 'a < b'],
    ['a bare ampersand', '<p>a & b</p>'],
    ['an ampersand in an attribute', '<p class="a&b">a</p>'],
    ['another entity', '<p>&nbsp;</p>'],
    ['an attribute without quotes', '<div class=a>a</div>'],
    ['an attribute in other quotes', "<div class='a'>a</div>"],
    ['an unmatched end tag', 'a</div>'],
    ['crossed end tags', '<div><p></div></p>'],
    ['a missing end tag', '<div><p></p>'],
    ['nothing', ''],
    ['too many levels', `${'<div>'.repeat(101)}${'</div>'.repeat(101)}`],
    ['too much text', 'a'.repeat(MAX_SNAPSHOT_LENGTH + 1)],
  ])('excludes %s', (_, markup) => {
    expect(isSnapshot(markup)).toBe(false)
  })

  it('accepts any escaped text', () => {
    const hostile = `</span></div><script>alert("1")</script><!-- & &lt; ' " \u2028 $& </body>`
    const markup = `<div class="${escapeHtml(hostile)}">${escapeHtml(hostile)}</div>`
    expect(isSnapshot(markup)).toBe(true)
    expect(markup.match(/</g)).toHaveLength(2)
  })
})
