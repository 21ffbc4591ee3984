import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile, readdir, rm, stat } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import Database from 'better-sqlite3'
import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import type { ExportState } from '../../src/shared/export.ts'
import { createFolderQuery } from '../../src/shared/thread-query.ts'
import { eventually } from '../integration/engine/support/eventually.ts'
import { exportAll } from '../integration/engine/support/exporting.ts'
import {
  bare,
  deliverLetters,
  digestsByPython,
  messageIds,
  readByPython,
  readExported,
} from '../integration/engine/support/read-exported.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from '../integration/engine/support/test-engine.ts'
import { startTestPlatform } from '../integration/engine/support/test-platform.ts'
import { hasPython } from '../support/python.ts'
import { Random } from '../support/random.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { counts, SEED } from './support/endurance.ts'
import { startKillable } from './support/run-and-kill.ts'

/** Number of kills per format. */
const ENDS = counts(10, { least: 2 })
/** Maximum milliseconds between the export having written enough and the kill. */
const LONGEST_MOMENT = 30
/**
 * Offset from the end of a zip archive to its number of files. Counting extracted files isn't enough: some programs
 * merge files of the same name.
 */
const FROM_END_OF_ZIP = 12
const UNFINISHED = 'wasn’t finished. Start it again.'
/** Size of the mailbox that is exported while mail arrives. */
const THREADS = counts(400, { least: 200, long: 100_000 })

describe('an export that is killed at any moment', () => {
  it.each(['mbox', 'zip'] as const)(
    'leaves no file, and has each message once when started again (%s)',
    async (format) => {
      const platform = await startTestPlatform({ trustDate: true }, { generate: { threads: 250, seed: 7 } })
      const engine = await openSettledEngine(platform)
      // The expected file, from an engine that is not killed.
      const whole = await exportAll(engine, temporaryDirectory(), { format })
      await engine.call('export.cancel', { id: whole.id })
      await engine.close()
      const folder = temporaryDirectory()
      const path = join(folder, `mail.${format}`)
      const random = new Random(SEED)
      const args = [SEED, platform.baseUrl, platform.apiKey, engine.directory, path, format]

      /** Problems that the last life found at its start. */
      let found = ''
      /** @param until e-mails written before the kill, which follows after a random moment; null to let it finish */
      const live = async (until: number | null): Promise<string> => {
        const child = startKillable('exporting-engine', args)
        const moment = random.next() * LONGEST_MOMENT
        let said = ''
        for await (const line of createInterface({ input: child.stdout })) {
          said = line
          const [word, done] = line.split(' ')
          if (word === 'problems') found = line
          if (until !== null && word === 'at' && Number(done) >= until) {
            setTimeout(() => child.kill('SIGKILL'), moment)
          }
        }
        return said
      }
      let written = 0
      let cut = 0
      for (let end = 0; end < ENDS; end += 1) {
        const said = await live(Math.min(written, whole.done - 1))
        expect(found.includes(UNFINISHED)).toBe(cut > 0)
        if (said.startsWith('done')) break
        const names = await readdir(folder)
        if (names.includes(`mail.${format}`)) {
          // The kill came too late.
          expect((await stat(path)).size).toBe(whole.bytes)
          break
        }
        cut += 1
        expect(names.every((name) => name.endsWith('.part'))).toBe(true)
        written = Math.floor(((end + 1) * whole.done) / ENDS)
      }
      expect(cut).toBeGreaterThan(0)
      await rm(path, { force: true })
      const last = JSON.parse((await live(null)).replace(/^\w+ /, '')) as ExportState
      expect(last).toMatchObject({ stage: 'done', path, done: whole.done, missing: 0 })
      expect(await readdir(folder)).toEqual([`mail.${format}`])
      if (format === 'zip') {
        const [zip, wholeZip] = [await readFile(path), await readFile(whole.path)]
        const [files, expected] = [unzipSync(zip), unzipSync(wholeZip)]
        expect(Object.keys(files)).toEqual(Object.keys(expected))
        const lengths = [zip, wholeZip].map((archive) => archive.readUInt16LE(archive.length - FROM_END_OF_ZIP))
        expect(lengths).toEqual([zip, wholeZip].map(() => whole.done))
        expect(
          Object.values(files).every((bytes, index) =>
            Buffer.from(bytes).equals(Object.values(expected)[index] ?? new Uint8Array()),
          ),
        ).toBe(true)
      } else expect((await readFile(path)).equals(await readFile(whole.path))).toBe(true)
    },
  )
})

/** Durations of the engine thread's turns, in milliseconds. */
type Turns = Readonly<Record<'p50' | 'p99' | 'p999' | 'max', number>>

/** Last line printed by the export's process, with its measurements. */
type Ended = ExportState & {
  readonly inbox: number
  readonly memory: number
  readonly waits: Turns
  readonly works: Turns
}

/** Hash of a message, independent of line endings. */
const digestOf = (message: Uint8Array): string =>
  createHash('sha256')
    .update(Buffer.from(message).toString('latin1').replaceAll('\r\n', '\n').replace(/\n*$/, '\n'), 'latin1')
    .digest('hex')

/** Minimum milliseconds between new messages. */
const DELIVER_EVERY_MS = 200

describe('a large mailbox', () => {
  it(
    'is exported with every message once, despite sync and a kill half-way',
    { timeout: 300_000 + THREADS * 120 },
    async () => {
      const data = join(temporaryDirectory(), 'platform.sqlite')
      const platform = await startTestPlatform({ trustDate: true }, { data, generate: { threads: THREADS, seed: 3 } })
      await deliverLetters(platform, 30)
      const first = await openSettledEngine(platform)
      const countInbox = async ({ call }: TestEngine): Promise<number> =>
        (await call('thread.list', { query: createFolderQuery(platform.inboxId, 'inbox'), offset: 0, limit: 1 })).total
      const begun = await countInbox(first)
      await first.close()

      const put = new Database(data, { readonly: true })
      const sources = put
        .prepare<[], { messageId: string; direction: string; subject: string; raw: Buffer }>(
          `SELECT message_id AS messageId, direction, subject, raw FROM emails
           JOIN email_contents ON email_seq = seq ORDER BY seq`,
        )
        .all()
      put.close()
      const expected = new Map(sources.map((source) => [bare(source.messageId), source]))
      expect(expected.size).toBe(sources.length)

      const folder = temporaryDirectory()
      const path = join(folder, 'mail.mbox')
      let arrived = 0
      let deliveredAt = 0
      /** @param until number of e-mails written before the kill; null to let it finish */
      const live = async (file: string, until: number | null, isBusy = true): Promise<string> => {
        const { baseUrl, apiKey, inboxId } = platform
        const args = [SEED, baseUrl, apiKey, first.directory, file, 'mbox', inboxId]
        const child = startKillable('exporting-engine', args)
        const ended = once(child, 'close')
        let said = ''
        let delivering: Promise<void> | null = null
        for await (const line of createInterface({ input: child.stdout })) {
          said = line
          const [word, done] = line.split(' ')
          if (word !== 'at' || Number(done) === 0) continue
          // By now the export has recorded what to include, so this run writes none of the new messages.
          if (isBusy && performance.now() - deliveredAt > DELIVER_EVERY_MS) {
            deliveredAt = performance.now()
            delivering ??= platform
              .deliver({ messageId: `<new-${arrived}@example.com>`, subject: `New ${arrived}`, text: 'New.' })
              .then(() => {
                arrived += 1
                delivering = null
              })
          }
          if (until !== null && Number(done) >= until) child.kill('SIGKILL')
        }
        await delivering
        const [, signal] = (await ended) as [number | null, NodeJS.Signals | null]
        expect(signal).toBe(until === null ? null : 'SIGKILL')
        return said
      }
      const readEnd = (said: string): Ended => {
        expect(said).toMatch(/^done /)
        return JSON.parse(said.replace(/^\w+ /, '')) as Ended
      }
      const inWords = ({ p50, p99, p999, max }: Turns): string =>
        `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, p99.9 ${p999.toFixed(1)}, longest ${max.toFixed(1)} ms`
      const describeTurns = ({ works, waits, memory }: Ended): string =>
        `turns ${inWords(works)} of work (with what the machine did else ${inWords(waits)}), ` +
        `${Math.round(memory / 1024 / 1024)} MB of memory, load ${(loadavg()[0] ?? 0).toFixed(1)}`

      const startedAt = performance.now()
      const half = Math.floor(expected.size / 2)
      const cut = await live(path, half)
      expect(Number(cut.split(' ')[1])).toBeGreaterThanOrEqual(half)
      expect(Number(cut.split(' ')[1])).toBeLessThan(expected.size)
      expect((await readdir(folder)).every((name) => name.endsWith('.part'))).toBe(true)
      const beforeEnd = arrived
      expect(beforeEnd).toBeGreaterThan(0)

      const state = readEnd(await live(path, null))
      const seconds = (performance.now() - startedAt) / 1000
      expect(state).toMatchObject({ stage: 'done', missing: 0, missingThreads: 0, problem: null })
      // Sync continued in the meantime: the second run found everything that had arrived before the kill.
      expect(arrived).toBeGreaterThan(beforeEnd)
      expect(state.inbox).toBeGreaterThanOrEqual(begun + beforeEnd)
      expect(await readdir(folder)).toEqual(['mail.mbox'])

      const messages = await readExported(state)
      // The second run includes mail that arrived before it recorded what to export.
      const isNew = (id: string): boolean => id.startsWith('new-')
      const ids = messageIds(messages)
      expect(ids.filter((id) => !isNew(id))).toEqual([...expected.keys()].toSorted())
      expect(new Set(ids).size).toBe(ids.length)
      expect(state.done).toBe(ids.length)
      const originals = new Map<string, string>()
      for (const { headers, raw } of messages) {
        const id = bare(headers.get('message-id'))
        if (isNew(id)) continue
        const source = expected.get(id)
        if (source?.direction === 'inbound') {
          originals.set(id, digestOf(source.raw))
          if (digestOf(raw) !== originals.get(id)) throw new Error(`Not as it was put in: ${id}`)
        } else if (headers.get('x-linnet-rebuilt') !== 'yes') throw new Error(`Not marked as rebuilt: ${id}`)
      }
      expect(originals.size).toBeGreaterThan(THREADS / 2)
      if (hasPython) {
        const read = readByPython(state.path)
        expect(read.map(([messageId]) => bare(messageId)).toSorted()).toEqual(messageIds(messages))
        expect(read.every(([, hasSubject, size]) => hasSubject && size > 0)).toBe(true)
        const differing = digestsByPython(state.path).filter(
          ([id, digest]) => originals.has(bare(id)) && originals.get(bare(id)) !== digest,
        )
        expect(differing).toEqual([])
      } else console.log('No python3 on this machine: nothing was asked of its mailbox module.')
      console.log(
        `${THREADS} threads, ${state.done} e-mails, ${Math.round(state.bytes / 1024 / 1024)} MB: ${seconds.toFixed(1)} s ` +
          `with originals that were fetched, killed half-way, ${arrived} e-mails came in meanwhile; ${describeTurns(state)}`,
      )

      const all = await openTestEngine(platform, first.directory)
      await eventually(
        async () => {
          await all.call('sync.now', {})
          return countInbox(all)
        },
        (count) => count === begun + arrived,
      )
      await all.close()
      const againAt = performance.now()
      const again = readEnd(await live(join(folder, 'again.mbox'), null, false))
      expect(again).toMatchObject({ stage: 'done', missing: 0, rebuilt: state.rebuilt })
      expect(again.done).toBe(expected.size + arrived)
      console.log(
        `again from this computer: ${((performance.now() - againAt) / 1000).toFixed(1)} s; ${describeTurns(again)}`,
      )
    },
  )
})
