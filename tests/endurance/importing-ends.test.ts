import { writeFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, it } from 'vitest'
import { eventually } from '../integration/engine/support/eventually.ts'
import { openSettledEngine } from '../integration/engine/support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from '../integration/engine/support/test-platform.ts'
import { Random } from '../support/random.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { counts, SEED } from './support/endurance.ts'
import { runAndKill, type OutputLine } from './support/run-and-kill.ts'

const LINES = counts(50_000, { least: 2_000 })
const ENDS = counts(10, { least: 3, long: 30 })
/** Number of contacts already on the platform; the table names some of them. */
const BEFORE = 300
/** Maximum milliseconds that a run continues after it has printed enough. */
const LONGEST_MOMENT = 60

type Word = 'open' | 'asked' | 'taken' | 'at' | 'done' | 'failed'

interface Person {
  readonly first: string | null
  readonly last: string | null
  readonly unsubscribed: boolean
  readonly company: string | number | null
  readonly seats: string | number | null
}
const NOBODY: Person = { first: null, last: null, unsubscribed: false, company: null, seats: null }

/** A file, the platform's contacts after a complete import, and the cells of skipped lines by line number. */
interface MadeTable {
  readonly bytes: Uint8Array
  readonly people: ReadonlyMap<string, Person>
  readonly bad: ReadonlyMap<number, readonly string[]>
}

const NAMES = [
  'Ann',
  'Jürgen',
  'Élodie',
  '=cmd|calc!A0',
  '@SUM(A1)',
  '+31 6',
  "O'Hara",
  'Bob "the Crane"',
  'Lee; Sons',
  'a, b',
]
const ENCODINGS = ['utf8', 'latin1', 'utf16le'] as const

/**
 * A table as address books and spreadsheets write it, and its expected result from a second implementation of the
 * rules.
 */
const makeTable = (random: Random, before: ReadonlyMap<string, Person>): MadeTable => {
  const delimiter = random.pick([',', ';', '\t']) ?? ','
  const encoding = random.pick(ENCODINGS) ?? 'utf8'
  const lineEnd = random.pick(['\r\n', '\n']) ?? '\n'
  const write = (cell: string): string =>
    new RegExp(`["\\r\\n${delimiter}]`).test(cell) || random.chance(0.1) ? `"${cell.replaceAll('"', '""')}"` : cell
  const people = new Map(before)
  const bad = new Map<number, readonly string[]>()
  /** People who unsubscribed in any line, even a skipped one. */
  const leavers = new Set<string>()
  const lines = [['Unsubscribed', 'E-mail', 'First name', 'Last name', 'company', 'Notes', 'seats'].join(delimiter)]
  let line = 2
  const put = (cells: readonly string[], isBad: boolean): void => {
    // Empty lines are ignored.
    if (isBad && cells.some((cell) => cell !== '')) bad.set(line, cells)
    lines.push(cells.map(write).join(delimiter))
    line += 1 + cells.reduce((sum, cell) => sum + (cell.split(/\r\n|\n/).length - 1), 0)
  }
  for (let at = 0; at < LINES; at += 1) {
    const known = random.chance(0.05)
    const address = known
      ? `old-${random.below(BEFORE * 2)}@harbour.example`
      : `person-${random.below(LINES)}@pier.example`
    const first = random.chance(0.7) ? (random.pick(NAMES) ?? '') : ''
    const last = random.chance(0.7) ? `${random.pick(NAMES)} ${at}` : ''
    const flag = random.pick(['', '', 'yes', 'no', 'TRUE', '0']) ?? ''
    const company = random.pick(['', 'Gull', 'Herring; Sons, Ltd', '-5', `two${lineEnd}lines`]) ?? ''
    const seats = random.pick(['', '', String(random.below(1_000)), '-2.5']) ?? ''
    const cells = [flag, address, first, last, company, random.pick(['', 'not taken']) ?? '', seats]
    const fault = random.below(40)
    if (fault > 1 && (flag === 'yes' || flag === 'TRUE')) leavers.add(address)
    if (fault === 0)
      put(cells.with(1, random.pick(['', 'nobody', 'a@', `${address} and more`, 'x@localhost']) ?? ''), true)
    else if (fault === 1) put(cells.with(0, 'perhaps'), true)
    else if (fault === 2) put(cells.with(6, 'many'), true)
    else if (fault === 3) put([...cells, 'one too many'], true)
    else {
      put(fault === 4 ? cells.with(1, address.toUpperCase()) : cells, false)
      const was = people.get(address) ?? NOBODY
      people.set(address, {
        first: first === '' ? was.first : first,
        last: last === '' ? was.last : last,
        unsubscribed: was.unsubscribed,
        company: company === '' ? was.company : company,
        seats: seats === '' ? was.seats : Number(seats),
      })
    }
  }
  for (const address of leavers) people.set(address, { ...(people.get(address) ?? NOBODY), unsubscribed: true })
  const mark = encoding === 'latin1' || (encoding === 'utf8' && random.chance(0.5)) ? '' : '\uFEFF'
  return { bytes: Buffer.from(mark + lines.join(lineEnd) + lineEnd, encoding), people, bad }
}

const everybody = async (platform: TestPlatform): Promise<ReadonlyMap<string, Person>> => {
  interface Listed {
    readonly email: string
    readonly first_name: string | null
    readonly last_name: string | null
    readonly unsubscribed: boolean
    readonly properties: { readonly company?: string | number; readonly seats?: string | number }
  }
  const { data } = await platform.ask<{ data: readonly Listed[] }>('GET', '/contacts')
  return new Map(
    data.map(({ email, first_name: first, last_name: last, unsubscribed, properties }) => [
      email.toLowerCase(),
      { first, last, unsubscribed, company: properties.company ?? null, seats: properties.seats ?? null },
    ]),
  )
}

it(
  'imports exactly the people of a table, and reports bad lines, despite repeated kills',
  async () => {
    const random = new Random(SEED)
    const platform = await startTestPlatform()
    await platform.ask('POST', '/contact-properties', { key: 'company', type: 'string' })
    await platform.ask('POST', '/contact-properties', { key: 'seats', type: 'number' })
    const before = new Map<string, Person>()
    for (let at = 0; at < BEFORE; at += 1) {
      const email = `old-${at}@harbour.example`
      const person = { ...NOBODY, first: 'Before', company: random.chance(0.5) ? 'Old' : null }
      before.set(email, person)
      const properties = person.company === null ? {} : { company: person.company }
      await platform.ask('POST', '/contacts', { email, first_name: person.first, properties })
    }
    const directory = temporaryDirectory()
    const first = await openSettledEngine(platform, directory)
    await first.close()
    const table = makeTable(random, before)
    const [path, badLines] = [join(temporaryDirectory(), 'people.csv'), join(temporaryDirectory(), 'bad.csv')]
    writeFileSync(path, table.bytes)

    let isTaken = false
    let ends = 0
    let inTheMiddle = 0
    for (let isDone = false; !isDone; ends += 1) {
      const args: readonly (string | number)[] = [
        SEED + ends,
        platform.baseUrl,
        platform.apiKey,
        directory,
        path,
        badLines,
        isTaken ? 'go on' : 'begin',
      ]
      const isLast = ends >= ENDS
      const lines = isTaken ? 2 + random.below(3) : random.below(5)
      const said: readonly OutputLine<Word, unknown>[] = await runAndKill<Word, unknown>(
        'importing-engine',
        args,
        (all) => all.at(-1)?.word === 'done' || (!isLast && all.length > lines),
        isLast ? 0 : random.next() * LONGEST_MOMENT,
      )
      isTaken ||= said.some(({ word }) => word === 'taken')
      const last = said.at(-1)
      if (last?.word === 'at' && last.what !== null) inTheMiddle += 1
      isDone = isTaken && said.some(({ word }) => word === 'done')
    }
    // The platform has everything once nothing is queued.
    const engine = await openSettledEngine(platform, directory)
    await eventually(
      () => engine.call('change.underWay', {}),
      (underWay) => underWay.length === 0,
    )
    expect(await engine.rollbackNotices()).toEqual([])

    const found = await everybody(platform)
    expect(found.size).toBe(table.people.size)
    for (const [address, person] of table.people) expect([address, found.get(address)]).toEqual([address, person])
    const [heading, ...left] = parse(readFileSync(badLines), { bom: true, relax_column_count: true })
    expect(heading?.slice(0, 3)).toEqual(['Line', 'Reason', 'Unsubscribed'])
    // Cells without the apostrophe that keeps spreadsheets from running them.
    const asWritten = (cells: readonly string[]): readonly string[] =>
      cells.map((cell) => cell.replace(/^'(?=[=+@-])/, ''))
    expect(left.map(([line, _why, ...cells]) => [Number(line), asWritten(cells)])).toEqual([...table.bad])
    console.log(
      `${LINES} lines, ${table.people.size} people, ${table.bad.size} bad lines, ended ${ends} times, ${inTheMiddle} in the middle`,
    )
  },
  180_000 + LINES * 20,
)
