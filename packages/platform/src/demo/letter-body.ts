/** A message body in both forms. `html` is a fragment without `<html>`; null for a text-only message. */
export interface LetterBody {
  readonly text: string
  readonly html: string | null
  /** `On Tue, 18 Nov 2026 at 14:03, Name <address> wrote:` — the line above this body when quoted. */
  readonly attribution: string
}

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const linkUrls = (escaped: string): string =>
  escaped.replaceAll(/https?:\/\/[^\s<]*[^\s<.,;:!?)]/g, (address) => `<a href="${address}">${address}</a>`)

const rightToLeft = /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}]/u

const paragraphHtml = (paragraph: string): string => {
  const lines = paragraph.split('\n')
  if (lines.every((line) => line.startsWith('    ')))
    return `<pre style="font-family:monospace">${escapeHtml(lines.map((line) => line.slice(4)).join('\n'))}</pre>`
  const direction = rightToLeft.test(paragraph) ? ' dir="rtl"' : ''
  if (lines.every((line) => line.startsWith('- ')))
    return `<ul>${lines.map((line) => `<li>${linkUrls(escapeHtml(line.slice(2)))}</li>`).join('')}</ul>`
  return `<p${direction}>${lines.map((line) => linkUrls(escapeHtml(line))).join('<br>\n')}</p>`
}

export const textToHtml = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map(paragraphHtml)
    .join('\n')

const maxQuoteLevels = 3

/** A reply's text above the earlier messages, newest first, each level with one more `>`. */
export function appendQuotedText(text: string, earlier: readonly LetterBody[]): string {
  const [newest, ...older] = earlier.slice(0, maxQuoteLevels)
  if (newest === undefined) return text
  const quoted = appendQuotedText(newest.text, older)
    .split('\n')
    .map((line) => (line.startsWith('>') ? `>${line}` : `> ${line}`.trimEnd()))
  return [text, '', newest.attribution, ...quoted].join('\n')
}

/** Like `appendQuotedText`, with nested block quotes. Messages without HTML are quoted from their text. */
export function appendQuotedHtml(html: string, earlier: readonly LetterBody[]): string {
  const [newest, ...older] = earlier.slice(0, maxQuoteLevels)
  if (newest === undefined) return html
  const quoted = appendQuotedHtml(newest.html ?? textToHtml(newest.text), older)
  return `${html}
<br>
<div class="gmail_quote"><div dir="ltr" class="gmail_attr">${escapeHtml(newest.attribution)}<br></div>
<blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px solid #ccc;padding-left:1ex">
${quoted}
</blockquote></div>`
}
