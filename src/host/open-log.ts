import { describeThrown, logLine } from '../shared/log.ts'
import { openLogFile, type LogFile } from './log-file.ts'

/** Opens this process's log, which also gets the engine's lines. `LINNET_LOG` sets the level for this start. */
export const openLog = (dataDirectory: string): LogFile => {
  const file = openLogFile({
    dataDirectory,
    givenLevel: process.env.LINNET_LOG,
    echo: (line) => void process.stderr.write(`linnet: ${line}\n`),
  })
  process.on('uncaughtExceptionMonitor', (thrown) =>
    file.log('error', logLine`host: ended by ${describeThrown(thrown)}`),
  )
  return file
}
