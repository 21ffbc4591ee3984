/** The part of css-tree that Linnet uses; the package brings no types, and those written for it leave this part out. */
declare module 'css-tree/tokenizer' {
  /** Calls back once for each token of css-syntax-3, in order and without a gap; comments and white space are tokens. */
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
      | 'Function'
      | 'Hash'
      | 'Ident'
      | 'LeftCurlyBracket'
      | 'LeftParenthesis'
      | 'LeftSquareBracket'
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
  /** What a string or an address of a style sheet says, without its quotes, brackets and escapes. */
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
  /** A node of the tree, with those of its fields that Linnet reads. Names and words keep their escapes. */
  export interface CssNode {
    readonly type: string
    readonly name?: string | CssNode
    readonly property?: string
    readonly important?: boolean | string
    /** A number, or what a string says, as words; of a declaration the node of its value. */
    readonly value?: string | CssNode
    readonly unit?: string
    readonly prelude?: CssNode | null
    readonly block?: CssNode | null
    readonly children?: NodeList | null
  }
  interface ParseOptions {
    readonly context: 'declarationList' | 'selectorList' | 'stylesheet' | 'value'
    readonly parseRulePrelude?: boolean
    /** Values stay text, of any length, and are read where they are asked for. */
    readonly parseValue?: boolean
    readonly parseAtrulePrelude?: boolean
    readonly onParseError?: () => void
  }
  /** Goes on behind what it cannot read, as a browser does, where `onParseError` is given; else some of it throws. */
  const parse: (source: string, options: ParseOptions) => CssNode
  export default parse
}
