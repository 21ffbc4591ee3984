// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { assembleMessage } from '../../../src/engine/mail/writing/assemble-message.ts'
import { chooseSendMethod } from '../../../src/engine/mail/writing/send-methods.ts'
import { sanitizeHtml } from '../../../src/renderer/features/bodies/sanitize-html.ts'
import { quoteEmail } from '../../../src/renderer/features/writing/quote-email.ts'
import type { DraftContent } from '../../../src/shared/drafts.ts'
import { hostileCorpus } from '../../support/hostile-corpus.ts'
import { checkOutgoingHtml } from './support/check-outgoing-html.ts'

const corpus = hostileCorpus('evil.example')
/** Each sample alone and next to another, which may swallow it; replies and forwards alternate. */
const ORIGINALS = [
  ...corpus.map(({ name, html }) => ({ name, html: `${html}<p>kept</p>` })),
  ...corpus.slice(0, 100).map(({ name, html }, at) => {
    const other = corpus[(7 * at + 3) % corpus.length] ?? { name: '', html: '' }
    return { name: `${name}, ${other.name}`, html: `<div>${html}</div>between${other.html}<p>kept</p>` }
  }),
].map((original, at) => ({ ...original, kind: at % 2 === 0 ? ('forward' as const) : ('reply' as const) }))

/** Visible content: letters, link targets, and the number of pictures. */
const seen = (
  html: string,
): { readonly letters: string; readonly links: readonly string[]; readonly pictures: number } => {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  // Remove the window's own toggle and the frame's styles.
  for (const own of body.querySelectorAll('style, .linnet-quote > summary')) own.remove()
  return {
    letters: body.textContent.replace(/[^\p{L}\p{N}]/gu, ''),
    links: [...body.querySelectorAll('a[href], area[href]')].map((link) => link.getAttribute('href') ?? ''),
    pictures: body.querySelectorAll('img, [role=img]').length,
  }
}

const WORDS = '<p>Mine</p>'

describe('outgoing quote of a hostile e-mail', () => {
  it('is tested on more than three hundred samples', () => {
    expect(ORIGINALS.length).toBeGreaterThan(300)
  })

  it.each(ORIGINALS)('matches the composer: $kind of $name', async ({ html, kind }) => {
    const original = { html, text: null, from: 'Ann <ann@a.example>', to: ['Bo <bo@b.example>'], cc: [] }
    const quote = await quoteEmail(kind, { ...original, subject: 'Plan', date: Date.UTC(2026, 4, 1) })
    const content: DraftContent = {
      ...{ to: [{ name: null, address: 'bo@b.example' }], cc: [], bcc: [], subject: 'Plan' },
      ...{ format: 'rich', html: WORDS, text: 'Mine', quote, files: [] },
    }
    const way = chooseSendMethod({
      ...{ inboxId: 'inbox', kind, target: { threadId: 't', emailId: 'e' }, content, scheduledAt: null },
      ...{ hasPlatformDraft: false, standsAlone: false, from: { name: null, address: 'me@b.example' }, references: [] },
      original: { ...original, direction: 'inbound', replyTo: [], messageId: '<1@a.example>', attachments: [] },
    })
    // The platform would forward the raw HTML.
    expect(way.kind).not.toBe('forward')
    const sent = assembleMessage(content).html ?? ''
    expect(sent.startsWith(WORDS)).toBe(true)
    expect(checkOutgoingHtml(sent)).toEqual([])
    // Same as the composer's view of the quoted text.
    expect(seen(sent.slice(WORDS.length))).toEqual(seen(sanitizeHtml(quote.html, true).markup))
  })
})
