import { escapeHtml } from '../../../shared/escape-html.ts'
import { MAIL_POLICY, buildMailStyle } from '../bodies/frame-document.ts'
import { makeInkReadable } from '../bodies/readable-ink.ts'

/** An e-mail for printing. All text except `markup` is untrusted. */
export interface PrintedEmail {
  /** Name and text of each header line. */
  readonly head: readonly (readonly [name: string, text: string])[]
  /** Plain text, or output of `sanitizeHtml` with all folds open and the custom properties that its styles use. */
  readonly body: string | { readonly markup: string; readonly properties: string }
}

/** Page width between the margins in pixels, for measuring before printing. */
export const PRINT_PAGE_WIDTH_PX = 670
const TEXT_SIZE = 13

/** Smallest zoom factor: smaller text is unreadable. Mail that is still too wide is wrapped at any letter. */
const MIN_ZOOM = 0.4

const PRINTED_MAIL_CLASS = 'printed-mail'

const STYLE = `
  @page { margin: 16mm }
  html { background: #fff; color: #1f1b18; font: ${TEXT_SIZE}px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif }
  body { margin: 0 }
  h1 { margin: 0 0 12px; font-size: 20px; line-height: 1.3; overflow-wrap: anywhere; break-after: avoid }
  section + section { margin-top: 24px; padding-top: 16px; border-top: 1px solid #bbb }
  header { margin-bottom: 12px; padding-bottom: 8px; border-bottom: 1px solid #ddd; break-inside: avoid; break-after: avoid }
  dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0 12px; margin: 0 }
  dt { color: #6b625b }
  dd { margin: 0; overflow-wrap: anywhere }
  pre { margin: 0; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext }
  .around { contain: layout paint }
`

/** Inside a shadow root, so that an e-mail's styles don't affect anything outside. */
const MAIL_STYLE = `
  ${buildMailStyle(':host', 'light', TEXT_SIZE)}
  :host { display: block; background: none; --linnet-scroll: visible; --linnet-position: relative }
  :host(.too-wide) * { max-width: 100% !important; min-width: 0 !important; overflow-wrap: anywhere !important; text-wrap-mode: wrap !important }
  #linnet-mail, #linnet-mail.linnet-letter { max-width: none; padding: 0; overflow: visible; contain: none }
  img, svg { break-inside: avoid }
  .linnet-quote > summary { display: none }
`

const sectionOf = ({ head, body }: PrintedEmail): string => {
  const lines = head.map(([name, text]) => `<dt>${escapeHtml(name)}</dt><dd><bdi>${escapeHtml(text)}</bdi></dd>`)
  const shown =
    typeof body === 'string'
      ? `<pre dir="auto">${escapeHtml(body)}</pre>`
      : `<div class="around"><div class="${PRINTED_MAIL_CLASS}" style="${escapeHtml(body.properties)}">` +
        `<template shadowrootmode="open"><style>${MAIL_STYLE}</style>${body.markup}</template></div></div>`
  return `<section><header><dl>${lines.join('')}</dl></header>${shown}</section>`
}

/** Light print document without remote content or scripts. */
export const buildPrintDocument = (title: string, emails: readonly PrintedEmail[]): string =>
  `<!doctype html><html lang=""><head><meta charset="utf-8">` +
  `<meta http-equiv="Content-Security-Policy" content="${MAIL_POLICY}">` +
  '<meta name="referrer" content="no-referrer"><meta http-equiv="x-dns-prefetch-control" content="off">' +
  `<meta name="color-scheme" content="light"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head>` +
  `<body><h1 dir="auto">${escapeHtml(title)}</h1>${emails.map(sectionOf).join('')}</body></html>`

const printedMailsIn = (drawn: Document): readonly HTMLElement[] => [
  ...drawn.querySelectorAll<HTMLElement>(`.${PRINTED_MAIL_CLASS}`),
]

/** Fits each e-mail of a drawn print document to the page, and makes its words readable. */
export const fitPrintDocument = (drawn: Document): void => {
  for (const host of printedMailsIn(drawn)) {
    const mail = host.shadowRoot?.getElementById('linnet-mail')
    if (!mail) continue
    const fitting = mail.clientWidth / mail.scrollWidth
    if (fitting < 0.99) host.style.setProperty('zoom', Math.max(MIN_ZOOM, fitting).toFixed(3))
    if (fitting < MIN_ZOOM) host.classList.add('too-wide')
    makeInkReadable(mail)
  }
}

/** HTML of a drawn print document. */
export const serializePrintDocument = (drawn: Document): string => {
  const shadowRoots = printedMailsIn(drawn).flatMap(({ shadowRoot }) => shadowRoot ?? [])
  return `<!doctype html><html lang="">${drawn.documentElement.getHTML({ shadowRoots })}</html>`
}
