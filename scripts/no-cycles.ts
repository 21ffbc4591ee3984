interface Log {
  readonly code?: string
  readonly message: string
}
interface Failing {
  readonly error: (message: string) => never
}

/**
 * Fails the build where modules of the window import each other in a circle. The linter says so of modules without components; to
 * follow imports through those, it would have to read each component as often as it is imported.
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
