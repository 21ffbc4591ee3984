/**
 * The policy of the frame that shows an e-mail: no script, no connection, no frame, no form, and images only from the
 * e-mail's own text. What a sanitiser misses is stopped here.
 */
const POLICY = [
  "default-src 'none'",
  'img-src data:',
  'font-src data:',
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** Paper of its own, in both themes: senders choose colours for white. Values, because a frame inherits no tokens. */
const STYLE = `
  html { background: #fff; color: #1f1b18; font: 14px/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif; overflow: hidden }
  body { margin: 0 }
  #linnet-mail { position: relative; box-sizing: border-box; padding: 16px; overflow: auto; overflow-wrap: anywhere; contain: layout paint }
  #linnet-mail > :first-child, #linnet-mail > :first-child > :first-child { margin-top: 0 }
  #linnet-mail > :last-child, #linnet-mail > :last-child > :last-child { margin-bottom: 0 }
  #linnet-mail.linnet-letter { padding: 4px 16px 4px 40px; max-width: 800px }
  table { overflow-wrap: normal }
  img { max-width: 100%; height: auto }
  pre { white-space: pre-wrap }
  a { color: #a01f36 }
  blockquote { margin: 8px 0; padding-left: 12px; border-left: 2px solid #e7e2dc }
  a:focus-visible, summary:focus-visible { outline: 2px solid #b3263e; outline-offset: 2px; border-radius: 2px }
  .linnet-image { display: inline-flex; align-items: center; justify-content: center; box-sizing: border-box; max-width: 100%; padding: 4px 8px; border: 1px dashed #cfc8c0; border-radius: 4px; background: #f7f5f2; color: #5e564f; font: 12px/1.4 system-ui, sans-serif; text-align: center }
  .linnet-image:empty { padding: 0; min-width: 24px; min-height: 24px }
  .linnet-quote { margin-top: 12px }
  .linnet-quote > summary { width: fit-content; padding: 2px 8px; border: 1px solid #e7e2dc; border-radius: 6px; color: #6b625b; font: 12px/1.4 system-ui, sans-serif; cursor: pointer }
`

/** The whole document of the frame. @param markup what `sanitiseHtml` made */
export const frameDocument = (markup: string): string =>
  `<!doctype html><html lang=""><head><meta http-equiv="Content-Security-Policy" content="${POLICY}">` +
  '<meta charset="utf-8"><meta name="referrer" content="no-referrer">' +
  '<meta http-equiv="x-dns-prefetch-control" content="off"><meta name="color-scheme" content="light">' +
  `<title>E-mail</title><style>${STYLE}</style></head><body>${markup}</body></html>`
