import type * as axeCore from 'axe-core'
import type * as sanitiser from '../unit/renderer/support/sanitiser.ts'
import { bundleReader } from './bundle.ts'
import { expect, test } from './linnet.ts'

/** A pattern repeated up to the limit of what the window formats at once, and the text around it. */
type Shape = readonly [of: string, before?: string, after?: string]

const SHAPES: readonly Shape[] = [
  ['word '],
  ['<'],
  ['>'],
  ['&'],
  ['&amp;'],
  ['&#'],
  [' ', 'x', 'x'],
  ['\n', 'x', 'x'],
  ['<b>'],
  ['<b>x</b>'],
  ['<p>word</p>'],
  ['<p><b>'],
  ['<div>'],
  ['<div style="color:red;position:fixed">x'],
  ['</div>'],
  ['<span dir="auto">x'],
  ['<font color="red">'],
  ['<blockquote type="cite">x'],
  ['<blockquote type="cite">x</blockquote>'],
  ['<div class="gmail_quote">x</div>'],
  ['<a href="https://a.example/b">c</a>'],
  ['<a href="javascript:x">c</a>'],
  ['<a href="https://a.example/">www.bank.example'],
  ['<img src="https://a.example/b.png" alt="c" width="4" height="4">'],
  ['<img src="data:image/png;base64,AAAA">'],
  ['A', '<img src="data:image/png;base64,', '">'],
  ['<table><tr><td>'],
  ['<tr><td>x</td></tr>', '<table>', '</table>'],
  ['<td rowspan="9" colspan="9">x</td>', '<table><tr>', '</table>'],
  ['<ul><li>x'],
  ['<li>x</li>', '<ol>', '</ol>'],
  ['<details><summary>x'],
  ['<!--'],
  ['<!-- x -->'],
  ['<script>x</script>'],
  ['<svg><style>'],
  ['<math><mtext>'],
  ['<form><input name="a">'],
  ['<select><option>x'],
  ['<template>x</template>'],
  ['<frameset>x'],
  ['a{b:c}', '<style>', '</style><p>x'],
  ['p ~ ', '<style>', 'p{color:red}</style><p>x'],
  ['@import url(x);', '<style>', '</style>'],
  ['url(', '<style>p{background:', '</style>'],
  ['url(', '<p style="background:', '">x'],
  ['position:', '<p style="', '">x'],
  ['x ', '<p title="', '">x'],
  ['linnet-x ', '<p class="', '">x'],
  ['<p id="linnet-x" class="linnet-y">x</p>'],
  ['\u0645 ', '<p>', '</p>'],
  ['\u0301', 'a'],
]

/** Compares the longest input that is formatted at once with half of it. */
interface Growth {
  readonly characters: number
  readonly half: number
  readonly whole: number
  /** The smallest ratio of the two durations measured. */
  readonly growth: number
}

declare global {
  var linnetReader: typeof sanitiser
  var axe: typeof axeCore
}

/** Minimum duration in milliseconds. Anything faster is too short to compare. */
const FLOOR = 30
/** Maximum growth for twice the input. */
const MAX = 3

test('sanitises HTML in time proportional to its length', async ({ sharedChromium }) => {
  test.skip(sharedChromium === null, 'This test needs only a browser; Electron has the same engine.')
  if (sharedChromium === null) return
  test.setTimeout(180_000)
  const page = await sharedChromium.newPage()
  await page.addScriptTag({ content: await bundleReader() })
  const excesses: string[] = []
  for (const shape of SHAPES) {
    const measured = await page.evaluate(
      ({ shape: [of, before = '', after = ''], floor, most }): Growth => {
        const { sanitizeHtml, isHeavyHtml } = globalThis.linnetReader
        const made = (times: number): string => before + of.repeat(times) + after
        const timeOf = (html: string): number => {
          const start = performance.now()
          sanitizeHtml(html)
          return performance.now() - start
        }
        let [light, heavy] = [1, Math.ceil(3_200_000 / of.length)]
        while (heavy - light > 1 + light / 50) {
          const middle = Math.floor((light + heavy) / 2)
          if (isHeavyHtml(made(middle))) heavy = middle
          else light = middle
        }
        const [html, halfHtml] = [made(light), made(Math.ceil(light / 2))]
        let [whole, half] = [timeOf(html), timeOf(halfHtml)]
        let growth = whole / half
        for (let turn = 1; turn < 10 && whole > floor && growth > most; turn += 1) {
          const [wholeNow, halfNow] = [timeOf(html), timeOf(halfHtml)]
          whole = Math.min(whole, wholeNow)
          half = Math.min(half, halfNow)
          growth = Math.min(whole / half, wholeNow / halfNow)
        }
        return { characters: html.length, half, whole, growth: whole > floor ? growth : 0 }
      },
      { shape, floor: FLOOR, most: MAX },
    )
    const { characters, half, whole, growth } = measured
    const words = `${JSON.stringify(shape)}, ${characters} characters: ${half.toFixed(0)} → ${whole.toFixed(0)} ms`
    if (process.env.LINNET_TEST_GROWTH === 'full') console.log(words)
    if (growth > MAX) excesses.push(words)
  }
  await page.close()
  expect(excesses).toEqual([])
})
