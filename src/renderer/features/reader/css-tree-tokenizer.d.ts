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
