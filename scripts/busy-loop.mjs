// Keeps one core busy until the process that started it ends or asks it to: what tests must bear beside them.
process.on('disconnect', () => process.exit(0))

const SLICE_MS = 50
const spin = () => {
  const until = performance.now() + SLICE_MS
  while (performance.now() < until);
  setImmediate(spin)
}
spin()
