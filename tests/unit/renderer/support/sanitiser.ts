/** Bundled for pages outside the window that need safe HTML. */
export { sanitizeHtml } from '../../../../src/renderer/features/bodies/sanitize-html.ts'
export { isHeavyHtml } from '../../../../src/shared/mail-text/heavy-html.ts'
export { buildFrameDocument } from '../../../../src/renderer/features/bodies/frame-document.ts'
export { makeInkReadable } from '../../../../src/renderer/features/bodies/readable-ink.ts'
export { repaintMarkup } from '../../../../src/renderer/features/bodies/repaint-markup.ts'
