export interface AboutLinnet {
  /** Version in `package.json`, such as `0.1.0`. */
  readonly version: string
  /** Runtime versions in display order; unknown ones are omitted. */
  readonly parts: readonly {
    readonly name: 'Electron' | 'Chromium' | 'Node.js' | 'SQLite'
    readonly version: string
  }[]
  /** True if bundled with Electron, whose licences `app.openLicences` opens. */
  readonly hasElectron: boolean
}
