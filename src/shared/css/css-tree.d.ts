/** The part of css-tree that Linnet uses. The package ships no types, and the published types omit this part. */
declare module 'css-tree/tokenizer' {
  /** Calls `onToken` for each token of css-syntax-3, in order and without gaps, including comments and white space. */
  export const tokenize: (source: string, onToken: (type: number, start: number, end: number) => void) => void
  export const tokenTypes: Readonly<
    Record<
      | 'AtKeyword'
      | 'BadUrl'
      | 'CDC'
      | 'CDO'
      | 'Colon'
      | 'Comma'
      | 'Comment'
      | 'Delim'
      | 'Dimension'
      | 'Function'
      | 'Hash'
      | 'Ident'
      | 'LeftCurlyBracket'
      | 'LeftParenthesis'
      | 'LeftSquareBracket'
      | 'Number'
      | 'Percentage'
      | 'RightCurlyBracket'
      | 'RightParenthesis'
      | 'RightSquareBracket'
      | 'Semicolon'
      | 'String'
      | 'Url'
      | 'WhiteSpace',
      number
    >
  >
}

declare module 'css-tree/utils' {
  /** Decodes a string or URL of a style sheet: strips quotes, brackets and escapes. */
  interface Coded {
    readonly decode: (source: string) => string
  }
  export const string: Coded
  export const url: Coded
}

declare module 'css-tree/parser' {
  interface NodeList {
    readonly toArray: () => CssNode[]
  }
  /** A syntax tree node, with the fields that Linnet reads. Names and words keep their escapes. */
  export interface CssNode {
    readonly type: string
    readonly name?: string | CssNode
    readonly property?: string
    readonly important?: boolean | string
    /** A number or string as text. For a declaration, the node of its value. */
    readonly value?: string | CssNode
    readonly unit?: string
    readonly prelude?: CssNode | null
    readonly block?: CssNode | null
    readonly children?: NodeList | null
  }
  interface ParseOptions {
    readonly context: 'declarationList' | 'selectorList' | 'stylesheet' | 'value'
    readonly parseRulePrelude?: boolean
    /** False keeps values as text of any length, to be parsed on demand. */
    readonly parseValue?: boolean
    readonly parseAtrulePrelude?: boolean
    readonly onParseError?: () => void
  }
  /** With `onParseError`, skips unreadable CSS like a browser does. Without it, some unreadable CSS throws. */
  const parse: (source: string, options: ParseOptions) => CssNode
  export default parse
}
