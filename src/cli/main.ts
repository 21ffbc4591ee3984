import { runCommand } from './run-command.ts'

runCommand(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  (thrown: unknown) => {
    throw thrown
  },
)
