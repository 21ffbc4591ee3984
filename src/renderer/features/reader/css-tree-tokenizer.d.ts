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
