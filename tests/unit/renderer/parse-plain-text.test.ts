import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkify, parsePlainText } from '../../../src/renderer/features/reader/parse-plain-text.ts'

const links = (line: string): readonly (string | null)[] =>
  linkify(line).flatMap(({ href }) => (href === null ? [] : [href]))

const shape = (text: string): readonly string[] =>
  parsePlainText(text).map(
    ({ kind, lines }) => `${kind}: ${lines.map((line) => line.map((p) => p.text).join('')).join('|')}`,
  )

describe('links in a line of text', () => {
  it('are web addresses and e-mail addresses', () => {
    expect(links('see https://pier.example/cam?a=1&b=2#x or mail ada@quill.example')).toEqual([
      'https://pier.example/cam?a=1&b=2#x',
      'mailto:ada@quill.example',
    ])
  })

  it('end before the punctuation of the sentence, and keep the bracket that they opened', () => {
    expect(links('(https://pier.example/a).')).toEqual(['https://pier.example/a'])
    expect(links('https://pier.example/Cam_(north)!')).toEqual(['https://pier.example/Cam_(north)'])
  })

  it('are never anything that runs', () => {
    expect(links('javascript:alert(1) data:text/html,x file:///etc/passwd')).toEqual([])
  })

  it('lose no character of the line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (line) => {
        expect(
          linkify(line)
            .map(({ text }) => text)
            .join(''),
        ).toBe(line)
      }),
    )
  })
})

describe('the text of an e-mail', () => {
  it('comes apart into what is said, what is quoted with its introduction, and the signature', () => {
    const text =
      'Yes.\r\n\r\nOn Friday Ada wrote:\r\n> Is it on?\r\n>\r\n> Ada\r\n\r\nThanks\r\n-- \r\nJuno\r\nTide Ltd'
    expect(shape(text)).toEqual([
      'text: Yes.',
      'quote: On Friday Ada wrote:|Is it on?||Ada',
      'text: Thanks',
      'signature: Juno|Tide Ltd',
    ])
  })

  it('takes everything under an original message as quoted', () => {
    expect(shape('No.\n\n-----Original Message-----\nFrom: Ada\n\nIs it on?')).toEqual([
      'text: No.',
      'quote: -----Original Message-----|From: Ada||Is it on?',
    ])
  })

  it('leaves a sentence that ends in a colon alone where no quote follows', () => {
    expect(shape('Two things:\n\none\ntwo')).toEqual(['text: Two things:||one|two'])
  })

  it('is nothing where there is only space', () => {
    expect(parsePlainText(' \n\n ')).toEqual([])
  })

  it('is read in time that grows with its length', () => {
    expect(parsePlainText('> '.repeat(20_000) + '\n' + 'a@'.repeat(20_000) + '\n'.repeat(5000) + 'end').length).toBe(2)
  })
})
