// Keeps one core busy until the parent process exits or disconnects: background load for tests.
process.on('disconnect', () => process.exit(0))

const SLICE_MS = 50
const spin = () => {
  const until = performance.now() + SLICE_MS
  while (performance.now() < until);
  setImmediate(spin)
}
spin()
