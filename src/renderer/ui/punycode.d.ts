/** The part of punycode.js that is used here; the package has no types. */
declare module 'punycode.js' {
  const punycode: {
    /** Decodes each `xn--` label. Throws a `RangeError` for an invalid one. */
    readonly toUnicode: (host: string) => string
  }
  export default punycode
}
