/** What a page is given to make HTML safe outside of Linnet's window. */
export { sanitiseHtml } from '../../../../src/renderer/features/bodies/sanitise-html.ts'
export { isHeavyHtml } from '../../../../src/renderer/features/bodies/weigh-html.ts'
