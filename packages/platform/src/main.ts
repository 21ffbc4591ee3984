import { type RunningService, startService } from './service.ts'
import { SwitchError, parseSwitches, formatUsage } from './switches.ts'

const usageExitCode = 2

/** Logs to stderr: stdout contains only the announcement, for programs to parse. */
function log(line: string): void {
  process.stderr.write(`${new Date().toISOString()} ${line}\n`)
}

function printError(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
}

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stdout.write(formatUsage())
    return
  }
  const switches = parseSwitches(process.argv.slice(2))
  const apiKey = process.env.LINNET_SERVICE_API_KEY
  const service = await startService({
    ...switches,
    apiKey: apiKey === undefined || apiKey === '' ? null : apiKey,
    log,
  })
  shutDownWithParent(service)
  process.stdout.write(`${JSON.stringify(service.announcement)}\n`)
}

/** Shuts down on a signal, or when the parent closes the IPC channel. */
function shutDownWithParent(service: RunningService): void {
  let ending = false
  const end = (reason: string): void => {
    if (ending) return
    ending = true
    log(`Ending: ${reason}`)
    service.close().then(
      () => process.exit(0),
      (error: unknown) => {
        printError(error)
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => end(signal))
  if (process.connected) process.on('disconnect', () => end('the program that started this service is gone'))
}

main().catch((error: unknown) => {
  printError(error)
  process.exit(error instanceof SwitchError ? usageExitCode : 1)
})
