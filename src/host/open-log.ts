import { createTurnWatch, LOOK_MS } from '../shared/blocked-turns.ts'
import { describeThrown, logLine } from '../shared/log.ts'
import { openLogFile, type LogFile } from './log-file.ts'

/**
 * Opens the log of this process, the engine's lines included: it notes what ends the process, and the turns that block
 * it for over 100 ms. `LINNET_LOG` names a level for this start.
 */
export const openLog = (dataDirectory: string): LogFile => {
  const file = openLogFile({
    dataDirectory,
    givenLevel: process.env.LINNET_LOG,
    echo: (line) => void process.stderr.write(`linnet: ${line}\n`),
  })
  process.on('uncaughtExceptionMonitor', (thrown) =>
    file.log('error', logLine`host: ended by ${describeThrown(thrown)}`),
  )
  setInterval(
    createTurnWatch('host', () => performance.now(), file.log),
    LOOK_MS,
  ).unref()
  return file
}
