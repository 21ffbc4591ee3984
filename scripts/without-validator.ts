/** The packages by which `conf`, below electron-store, checks what it keeps against a schema. */
const VALIDATOR = /^ajv(?:-formats)?(?:\/|$)/
const STAND_IN = '\0linnet:no-validator'

/**
 * Leaves the schema validator of electron-store (350 kB) out of the build: it would be read at each start, and Linnet hands that
 * library no schema. A store that is given one all the same throws as soon as it is made.
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
