/** Packages that `conf`, a dependency of electron-store, uses to validate against a schema. */
const VALIDATOR = /^ajv(?:-formats)?(?:\/|$)/
const STAND_IN = '\0linnet:no-validator'

/**
 * Leaves electron-store's schema validator (350 kB) out of the build. It would be loaded at each start, but Linnet
 * passes no schema. A store that gets one throws on creation.
 */
export const withoutValidator = () => ({
  name: 'linnet:without-validator',
  enforce: 'pre' as const,
  resolveId: (source: string, importer: string | undefined): string | null =>
    VALIDATOR.test(source) && importer !== undefined && /[\\/]node_modules[\\/]conf[\\/]/.test(importer)
      ? STAND_IN
      : null,
  load: (id: string): string | null =>
    id === STAND_IN
      ? `const refuse = () => { throw new Error('electron-store has no schema validator here.') }
export class Ajv2020 { constructor() { refuse() } }
export default { default: refuse }`
      : null,
})
