/** What a page is given to make HTML safe outside of Linnet's window. */
export { sanitiseHtml } from '../../../../src/renderer/features/reader/sanitise-html.ts'
export { isHeavyHtml } from '../../../../src/renderer/features/reader/weigh-html.ts'
