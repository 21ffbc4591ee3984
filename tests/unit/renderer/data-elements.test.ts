// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { extractSnippet } from '../../../src/engine/store/snippet.ts'
import { htmlToText } from '../../../src/shared/mail-text/html-to-text.ts'
import { sanitizeHtml } from '../../../src/renderer/features/bodies/sanitize-html.ts'
import { sanitizePaste } from '../../../src/renderer/features/writing/sanitize-paste.ts'

const textOf = (html: string): string =>
  new DOMParser().parseFromString(html, 'text/html').body.textContent.replace(/\s+/g, ' ').trim()

/** Every path from HTML to text that the user sees. */
const WAYS: Readonly<Record<string, (html: string) => string>> = {
  'the reader': (html) => textOf(sanitizeHtml(html).markup),
  'the text of heavy mail': (html) => htmlToText(html).replace(/\s+/g, ' ').trim(),
  'a preview, as search reads it': (html) => extractSnippet({ text: null, html }) ?? '',
  'pasted text': (html) => textOf(sanitizePaste(html)),
}

describe.each(Object.entries(WAYS))('%s', (_, wordsOf) => {
  it.each([
    '<xml><w:WordDocument><w:View>Normal</w:View><w:Zoom>0</w:Zoom><w:TrackMoves>false</w:TrackMoves></w:WordDocument></xml><p>Fog</p>',
    '<XML><o:OfficeDocumentSettings><o:AllowPNG>true</o:AllowPNG></o:OfficeDocumentSettings></XML><p>Fog</p>',
    '<w:WordDocument><w:View>Normal</w:View></w:WordDocument><p>Fog</p>',
    '<p>Fog</p><w:LatentStyles DefLockedState="false">0<w:LsdException>List</w:LsdException></w:LatentStyles>',
    '<!--[if gte mso 9]><xml><w:View>Normal</w:View></xml><![endif]--><p>Fog</p>',
  ])('drops Word’s own data (M8): %s', (html) => {
    expect(wordsOf(html)).toBe('Fog')
  })

  it('keeps text in Word’s own inline elements', () => {
    expect(wordsOf('<p>Fog in <st1:City>Ulm</st1:City><o:p> until noon</o:p></p>')).toBe('Fog in Ulm until noon')
  })
})
