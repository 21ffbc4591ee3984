/** Bundled for pages outside the window that need safe HTML. */
export { sanitiseHtml } from '../../../../src/renderer/features/bodies/sanitise-html.ts'
export { isHeavyHtml } from '../../../../src/renderer/features/bodies/heavy-html.ts'
