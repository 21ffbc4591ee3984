/** What the toolbar shows as pressed. */
export const FORMATS = [
  'bold',
  'italic',
  'strike',
  'code',
  'link',
  'bulletList',
  'orderedList',
  'blockquote',
  'codeBlock',
] as const
export type Format = (typeof FORMATS)[number]
