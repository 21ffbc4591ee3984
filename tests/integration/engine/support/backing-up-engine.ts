/**
 * A process that is to be ended: an engine without a platform that makes one backup after the other. That one is
 * whole is said on the standard output.
 */
import { writeSync } from 'node:fs'
import { createEngine } from '../../../../src/engine/engine.ts'

const [directory = '', folder = ''] = process.argv.slice(2)
const say = (word: string, what: unknown): number => writeSync(1, `${word} ${JSON.stringify(what)}\n`)

const engine = createEngine({ event: () => undefined, keyAccepted: () => undefined, log: () => undefined })
const opened = await engine.open({
  id: 'backing-up',
  baseUrl: 'http://127.0.0.1:9',
  directory,
  key: { apiKey: 'none', isAccepted: true },
})
if (!opened.ok) {
  say('failed', opened.error)
  process.exit(1)
}
for (;;) {
  const made = await engine.call('backing-up', 'backup.now', { folder }, 'window')
  say(made.ok ? 'whole' : 'failed', made.ok ? made.data : made.error)
}
