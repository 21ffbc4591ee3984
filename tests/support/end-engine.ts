interface Thread {
  readonly once: (event: 'exit', listener: () => void) => void
  readonly terminate: () => Promise<number>
}
interface Threads {
  readonly Worker: { readonly prototype: { postMessage: (this: Thread, ...given: unknown[]) => void } }
}

/**
 * Has SIGUSR2 end the engine's thread as a fault in it would. Run in a host's own process, so that it knows nothing of what
 * stands around it.
 */
export const endEngineBySignal = (): void => {
  const threads = process.getBuiltinModule('node:worker_threads') as unknown as Threads
  const engines = new Set<Thread>()
  const { prototype } = threads.Worker
  const post = prototype.postMessage
  prototype.postMessage = function (...given) {
    // Whoever is asked by these names is the engine (`EngineLink`): a host has other threads, and they bear no names.
    const asked = (given[0] as { readonly m?: unknown } | null)?.m
    if (!engines.has(this) && (asked === 'open' || asked === 'call' || asked === 'callAcross')) {
      engines.add(this)
      this.once('exit', () => void engines.delete(this))
    }
    post.apply(this, given)
  }
  process.on('SIGUSR2', () => {
    for (const engine of engines) void engine.terminate()
  })
}

/** For the environment of a Node program that is to do so from its start. */
export const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(`(${endEngineBySignal.toString()})()`)}`
