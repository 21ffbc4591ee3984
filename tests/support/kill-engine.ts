interface Thread {
  readonly once: (event: 'exit', listener: () => void) => void
  readonly terminate: () => Promise<number>
}
interface Threads {
  readonly Worker: { readonly prototype: { postMessage: (this: Thread, ...given: unknown[]) => void } }
}

/**
 * On SIGUSR2, terminates the engine's thread as a fault in it would. It runs inside the host process, so it must not
 * use anything from its surrounding scope.
 */
export const killEngineBySignal = (): void => {
  const threads = process.getBuiltinModule('node:worker_threads') as unknown as Threads
  const engines = new Set<Thread>()
  const { prototype } = threads.Worker
  const post = prototype.postMessage
  prototype.postMessage = function (...given) {
    // Only the engine receives these calls (`EngineApi`); the host's other threads don't, and threads have no names.
    const asked = (given[0] as { readonly m?: unknown } | null)?.m
    if (!engines.has(this) && (asked === 'open' || asked === 'call')) {
      engines.add(this)
      this.once('exit', () => void engines.delete(this))
    }
    post.apply(this, given)
  }
  process.on('SIGUSR2', () => {
    for (const engine of engines) void engine.terminate()
  })
}

/** `NODE_OPTIONS` that install this handler in a Node program at its start. */
export const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(`(${killEngineBySignal.toString()})()`)}`
