/** Part of punycode.js in use; the package has no types. */
declare module 'punycode.js' {
  const punycode: {
    /** Decodes each `xn--` label. Throws a `RangeError` for an invalid one. */
    readonly toUnicode: (host: string) => string
  }
  export default punycode
}
