/**
 * Allowed elements and attributes in outgoing HTML, from the table in docs/writing.md ("The HTML that is sent"):
 * everything that Gmail, Outlook (including its Word renderer), Apple Mail, Thunderbird and similar programs display.
 * Tests compare it with the document.
 */
export const OUTGOING_ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  b: [],
  blockquote: ['style', 'type', 'dir'],
  br: [],
  code: ['style'],
  div: ['style', 'dir'],
  em: [],
  h1: ['style', 'dir'],
  h2: ['style', 'dir'],
  h3: ['style', 'dir'],
  hr: ['style'],
  i: [],
  img: ['src', 'alt', 'width', 'height', 'style'],
  li: ['style', 'dir'],
  ol: ['start', 'style', 'dir'],
  p: ['style', 'dir'],
  pre: ['style', 'dir'],
  s: [],
  span: ['style', 'dir'],
  strong: [],
  sub: [],
  sup: [],
  table: ['border', 'cellpadding', 'cellspacing', 'style', 'dir'],
  tbody: [],
  td: ['colspan', 'rowspan', 'align', 'valign', 'dir'],
  th: ['colspan', 'rowspan', 'align', 'valign', 'dir'],
  thead: [],
  tr: [],
  u: [],
  ul: ['style', 'dir'],
}

/** Inline styles for each element, so text looks the same without a style sheet. */
export const OUTGOING_STYLES: Readonly<Record<string, string>> = {
  p: 'margin:0 0 1em',
  h1: 'margin:0 0 0.5em;font-size:1.5em',
  h2: 'margin:0 0 0.5em;font-size:1.25em',
  h3: 'margin:0 0 0.5em;font-size:1.1em',
  ul: 'margin:0 0 1em;padding-left:2em',
  ol: 'margin:0 0 1em;padding-left:2em',
  li: 'margin:0',
  blockquote: 'margin:0 0 1em;padding-left:1em;border-left:2px solid #cccccc',
  pre: 'margin:0 0 1em;padding:0.5em;background-color:#f4f4f4;font-family:monospace;white-space:pre-wrap',
  code: 'font-family:monospace',
  hr: 'margin:1em 0;border:0;border-top:1px solid #cccccc',
  img: 'max-width:100%;height:auto',
}
