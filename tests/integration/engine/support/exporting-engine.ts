/**
 * A process that is to be ended: an engine that exports all mail into a file, and goes on with the export that it finds. It
 * says how far it has come, and the path of the file when that is whole.
 */
import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createEngine } from '../../../../src/engine/engine.ts'
import { EXPORT_FORMATS, type ExportState } from '../../../../src/shared/export.ts'
import type { Result } from '../../../../src/shared/result.ts'

const [baseUrl = '', apiKey = '', directory = '', path = '', formatName = ''] = process.argv.slice(2)
const format = EXPORT_FORMATS.find((known) => known === formatName) ?? 'mbox'
const say = (word: string, what: unknown): number => writeSync(1, `${word} ${JSON.stringify(what)}\n`)

const engine = createEngine({ event: () => undefined, keyAccepted: () => undefined, log: () => undefined })
const opened = await engine.open({ id: 'export', baseUrl, directory, key: { apiKey, isAccepted: true } })
if (!opened.ok) {
  say('failed', opened.error)
  process.exit(1)
}
const list = async (): Promise<readonly ExportState[]> => {
  const listed = (await engine.call('export', 'export.list', {}, 'export')) as Result<readonly ExportState[]>
  return listed.ok ? listed.data : []
}
const [found] = await list()
if (found === undefined) {
  const wish = { mail: { kind: 'everything' }, format, isFetching: true, name: 'mail' } as const
  const started = await engine.startExport('export', wish, { path, mayReplace: false })
  if (!started.ok) say('failed', started.error)
} else await engine.call('export', 'export.resume', { id: found.id }, 'export')

for (;;) {
  const [state] = await list()
  if (state?.stage === 'done' || state?.stage === 'paused') {
    say(state.stage, state)
    await engine.close('export')
    process.exit(0)
  }
  say('at', state?.stage === 'writing' ? state.done : 0)
  await sleep(5)
}
