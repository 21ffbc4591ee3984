/** The part of punycode.js that Linnet uses; the package brings no types. */
declare module 'punycode.js' {
  const punycode: {
    /** A host name with each `xn--` label as it is read. Throws a `RangeError` for one that decodes to nothing. */
    readonly toUnicode: (host: string) => string
  }
  export default punycode
}
