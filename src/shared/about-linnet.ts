/** Which Linnet this is, for whoever asks. */
export interface AboutLinnet {
  /** As `package.json` has it, such as `0.1.0`. */
  readonly version: string
  /** What it runs on, in the order in which it is told; what is not known is left out. */
  readonly parts: readonly {
    readonly name: 'Electron' | 'Chromium' | 'Node.js' | 'SQLite'
    readonly version: string
  }[]
  /** Whether it came with an Electron, whose licences `app.openLicences` opens. */
  readonly hasElectron: boolean
}
