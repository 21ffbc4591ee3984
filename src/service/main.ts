import { type RunningService, startService } from './service.ts'
import { SwitchError, readSwitches, usage } from './switches.ts'

const badSwitches = 2

/** Logs to stderr: stdout contains only the announcement, for programs to parse. */
function log(line: string): void {
  process.stderr.write(`${new Date().toISOString()} ${line}\n`)
}

function complain(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
}

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stdout.write(usage())
    return
  }
  const switches = readSwitches(process.argv.slice(2))
  const apiKey = process.env.LINNET_SERVICE_API_KEY
  const service = await startService({
    ...switches,
    apiKey: apiKey === undefined || apiKey === '' ? null : apiKey,
    log,
  })
  endWithOwner(service)
  process.stdout.write(`${JSON.stringify(service.announcement)}\n`)
}

/** Shuts down on a signal, or when the parent closes the IPC channel. */
function endWithOwner(service: RunningService): void {
  let ending = false
  const end = (reason: string): void => {
    if (ending) return
    ending = true
    log(`Ending: ${reason}`)
    service.close().then(
      () => process.exit(0),
      (error: unknown) => {
        complain(error)
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => end(signal))
  if (process.connected) process.on('disconnect', () => end('the program that started this service is gone'))
}

main().catch((error: unknown) => {
  complain(error)
  process.exit(error instanceof SwitchError ? badSwitches : 1)
})
