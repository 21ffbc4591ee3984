import { describeUnsupportedNode } from './package-node.ts'

const reason = describeUnsupportedNode(process.versions)
if (reason === null) await import('./main.ts')
else {
  process.stderr.write(`${reason}\n`)
  process.exitCode = 1
}
