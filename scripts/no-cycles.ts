interface Log {
  readonly code?: string
  readonly message: string
}
interface Failing {
  readonly error: (message: string) => never
}

/**
 * Fails the build on import cycles among the window's modules. The linter finds cycles only among plain modules: to
 * follow imports through components, it would parse each component as often as it is imported.
 */
export const noCycles = () => ({
  name: 'linnet:no-cycles',
  options: <Options extends { readonly checks?: object }>(options: Options) => ({
    ...options,
    checks: { ...options.checks, circularDependency: true },
  }),
  onLog(this: Failing, _level: string, { code, message }: Log): boolean | undefined {
    if (code !== 'CIRCULAR_DEPENDENCY') return undefined
    if (!message.includes('node_modules')) this.error(message)
    return false
  },
})
