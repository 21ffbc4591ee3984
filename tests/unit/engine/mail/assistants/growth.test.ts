import { describe, expect, it } from 'vitest'
import { quoteUntrustedText } from '../../../../../src/engine/mail/assistants/quoting.ts'
import { extractReadableBody } from '../../../../../src/engine/mail/assistants/readable-body.ts'
import { stripHiddenCharacters } from '../../../../../src/shared/visible-text.ts'
import { filled, findExcessiveGrowth } from '../../../../support/growth.ts'
import { findExcesses } from '../../../../support/hostile-shapes.ts'

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'extractReadableBody of HTML': (html) => extractReadableBody({ html, text: null }),
  'extractReadableBody of a text': (text) => extractReadableBody({ html: null, text }),
  'extractReadableBody of both': (text) => extractReadableBody({ html: text, text }),
  'extractReadableBody of a style sheet': (css) =>
    extractReadableBody({ html: `<style>${css}</style><p class="a">b`, text: null }),
  'extractReadableBody of a style': (css) =>
    extractReadableBody({ html: `<p style="${css.replaceAll('"', "'")}">b`, text: null }),
  'extractReadableBody of a link': (text) =>
    extractReadableBody({ html: `<a href="https://a.example/${text}">${text}</a>`, text }),
  quoteUntrustedText,
  stripHiddenCharacters,
}

describe('linear reading time of untrusted text for assistants', () => {
  it.each(Object.entries(READERS))('%s', async (_, read) => expect(await findExcesses(read)).toEqual([]), 240_000)

  it.each([
    ['nested elements of many names', (place: number) => `<e${place % 90}>`],
    ['bold parts of many kinds', (place: number) => `<p><b id=${place}>a`],
    ['words misplaced in a table', (place: number) => (place === 0 ? '<table>' : `<i>a</i>b`)],
    ['attributes without an end', (place: number) => (place === 0 ? '<a ' : `a${place} `)],
    [
      'rules for every element',
      (place: number) => `<style>.a${place} *,[a*="${place}"] i{color:#${place % 900}}</style><i>`,
    ],
    ['rules within rules', () => '<style>&&{&&{a{color:red}</style>'],
    [
      'a variable of a variable',
      (place: number) => `<i style="--a${place}:var(--a${place - 1});color:var(--a${place})">`,
    ],
    ['styles that all differ', (place: number) => `<p style="width:${place}px;color:red${place}">a`],
    ['a long style before short ones', (place: number) => `<p style="${'color:red;'.repeat(place === 0 ? 900 : 1)}">a`],
    ['filters around filters', () => '<i style="filter:invert(1)">a'],
    ['quotes around quotes', () => '<div class="gmail_quote">On 1 May a@b.example wrote:<blockquote>'],
    ['links of long words', (place: number) => `<a href="https://a${place}.example">a.example b.example</a>`],
  ] as const)('%s', async (_, piece) => {
    const excess = await findExcessiveGrowth((length) => {
      let html = ''
      for (let place = 0; html.length < length; place += 1) html += piece(place)
      return () => extractReadableBody({ html, text: null })
    })
    expect(excess).toBeNull()
  })
})

it.each([
  ['divisions', '<div>'],
  ['parts of many kinds', '<div><p><span><table><tr><td><ul><li><b>'],
  ['rules', '<style>a b c>d{display:none}</style>'],
  ['words', 'word '],
  ['hidden words', '<p style="display:none">word</p>'],
])('reads five megabytes of %s within the length limit', (_, piece) => {
  const body = extractReadableBody({ html: filled(piece, 5_000_000), text: null })
  expect(body.text.length).toBeLessThanOrEqual(20_000)
})
