/**
 * Process to be killed while it imports contacts from a table: an engine that reads and imports a file, or resumes an
 * import that it finds. It reports its progress, the skipped lines and the end.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from 'node:assert'
import { lifeArguments, openKillableEngine, print } from './killable-engine.ts'

const [path = '', badLines = '', task = ''] = lifeArguments
const TABLE = 'table'
/** Bytes per call, the same as a window sends. */
const PIECE = 300_000

const { ask } = await openKillableEngine()

const begin = async (): Promise<void> => {
  const file = await readFile(path)
  const catalog = await ask('contact.refreshCatalog', {})
  if (!catalog.ok) fail(catalog.error.message)
  const count = Math.ceil(file.length / PIECE)
  for (let place = 0; place < count; place += 1) {
    const base64 = file.subarray(place * PIECE, (place + 1) * PIECE).toString('base64')
    const read = await ask('contactTable.read', { tableId: TABLE, place, base64, isLast: place === count - 1 })
    if (!read.ok) fail(read.error.message)
    if (read.data === null) continue
    const targets = read.data.columns.map(({ target }) => target)
    const reading = { tableId: TABLE, targets, mayResubscribe: true }
    const bad = await ask('contactTable.badLines', reading)
    if (!bad.ok) fail(bad.error.message)
    await writeFile(badLines, bad.data.text)
    print('asked', {})
    const imported = await ask('contactTable.import', { ...reading, segmentId: null })
    if (!imported.ok) fail(imported.error.message)
    print('taken', imported.data)
  }
}

if (task === 'begin') await begin()
for (;;) {
  const underWay = await ask('change.underWay', {})
  if (!underWay.ok) fail(underWay.error.message)
  const [first] = underWay.data
  print('at', first ?? null)
  if (first === undefined) print('done', {})
  await sleep(10)
}
