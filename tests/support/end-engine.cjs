/**
 * Loaded into a host before or beside its own program, so that a test can end the engine's thread as a fault in it would:
 * by SIGUSR2, or by the event of that name.
 */
const { Worker } = require('node:worker_threads')

const engines = new Set()
const { postMessage } = Worker.prototype
Worker.prototype.postMessage = function (...given) {
  // Whoever is asked by these names is the engine (`EngineLink`): a host has other threads, and they bear no names.
  if (!engines.has(this) && ['open', 'call', 'callAcross'].includes(given[0]?.m)) {
    engines.add(this)
    this.once('exit', () => engines.delete(this))
  }
  return postMessage.apply(this, given)
}
process.on('SIGUSR2', () => {
  for (const engine of engines) void engine.terminate()
})
