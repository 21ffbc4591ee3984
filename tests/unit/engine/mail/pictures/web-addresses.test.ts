import { describe, expect, it } from 'vitest'
import { collectWebAddresses } from '../../../../../src/engine/mail/pictures/web-addresses.ts'
import { findExcesses } from '../../../../support/hostile-shapes.ts'

const named = async (html: string): Promise<readonly string[]> => [...(await collectWebAddresses(html))]

describe('addresses in an e-mail', () => {
  it.each([
    ['<img src="http://a.test/b c.png">', 'http://a.test/b%20c.png'],
    ['<IMG SRC=http://a.test/b>', 'http://a.test/b'],
    ['<img src="&#104;ttp&#58;//a.test/b&amp;c">', 'http://a.test/b&c'],
    ['<img src=" \t\nht\ntp://a.test/b\n ">', 'http://a.test/b'],
    ['<img src="//a.test/b">', 'https://a.test/b'],
    ['<img src="http:/\\a.test\\b">', 'http://a.test/b'],
    ['<img srcset="http://a.test/b,c 2x, http://a.test/d 1x">', 'http://a.test/b,c'],
    ['<img srcset="http://a.test/b 2x,http://a.test/d 1x">', 'http://a.test/d'],
    ['<td background="http://a.test/b">', 'http://a.test/b'],
    ['<p style="background:url(http://a.test/b)">', 'http://a.test/b'],
    ['<p style="background:\\75 rl(http://a.test/b)">', 'http://a.test/b'],
    ['<p style="background:url(\\68 ttp://a.test/b\\20 c)">', 'http://a.test/b%20c'],
    ['<p style="background:url(\'http://a.test/b)c\')">', 'http://a.test/b)c'],
    ['<p style="background:image-set(\'http://a.test/b\' 2x)">', 'http://a.test/b'],
    ['<style>p { background: url(http://a.test/b) }</style>', 'http://a.test/b'],
    ['<style>@import "http://a.test/b c.css";</style>', 'http://a.test/b%20c.css'],
    ['<svg></p><style><a id="</style><img src=http://a.test/b onerror=x>">', 'http://a.test/b'],
    ['<!--[if mso]><img src=http://a.test/b><![endif]-->', 'http://a.test/b'],
    [`<p>${'<b>a</b>'.repeat(100_000)}<img src="http://a.test/b">`, 'http://a.test/b'],
  ])('are found where a browser finds them: %s', async (html, address) => {
    expect(await named(html)).toContain(address)
  })

  it('are only those', async () => {
    expect(await named('<p>a//b</p><img src="cid:a"><img src="a.png"><img src="data:image/png;base64,//8A">')).toEqual([
      'https://b/',
    ])
    expect(await named('<img src="http://a.test/b"><p>b?who=ann</p>')).toEqual(['http://a.test/b'])
  })

  it('are found in linear time', async () => {
    expect(await findExcesses((text) => collectWebAddresses(`${text}<img srcset='${text}' style="${text}">`))).toEqual(
      [],
    )
  })
})
