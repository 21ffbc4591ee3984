import { ALL_CONTACTS } from '../../src/shared/contact-query.ts'
import type { CommandInput } from '../../src/shared/contract.ts'
import { importContacts } from '../support/import-contacts.ts'
import { accountDirectory, openBenchEngine, synced } from './bench-engine.ts'
import { startBenchPlatform, type BenchPlatform } from './bench-platform.ts'
import { percentile, type Figure } from './figure.ts'

const FEW = 100
const MANY = 5_000
/** More contacts than anyone would browse by eye. */
const MAX = 100_000
const ROUNDS = 40
/** Milliseconds per frame at 60 Hz. */
const FRAME = 1000 / 60
const PAGE = { offset: 0, limit: 100 } as const

const addressOf = (index: number): string => `person${index}@tide.example`

const fill = (platform: BenchPlatform, count: number): Promise<void> =>
  importContacts(platform, [
    'email,first_name,last_name',
    ...Array.from({ length: count }, (_, index) => `${addressOf(index)},Person ${index % 97},of ${index % 89}`),
  ])

/** Duration of a window's requests, in milliseconds: medians, and 95th percentiles (`slow…`). */
const measureAmong = async (count: number) => {
  const platform = await startBenchPlatform(0, 'off')
  await fill(platform, count)
  const engine = await openBenchEngine(platform, await accountDirectory({ days: 1 }))
  await synced(engine)
  const { total } = await engine.call('contact.list', PAGE)
  if (total !== count) throw new Error(`There are ${total} contacts, and not ${count}.`)
  const [last] = (await engine.call('contact.list', { offset: count - 1, limit: 1 })).items
  const list = (input: CommandInput<'contact.list'>) => () => engine.call('contact.list', input)
  const timesOf = async (ask: (round: number) => Promise<unknown>): Promise<readonly number[]> => {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const start = performance.now()
      await ask(round)
      times.push(performance.now() - start)
    }
    return times
  }
  const median = async (ask: Parameters<typeof timesOf>[0]): Promise<number> => percentile(await timesOf(ask), 0.5)
  const slow = async (ask: Parameters<typeof timesOf>[0]): Promise<number> => percentile(await timesOf(ask), 0.95)
  // Type something new each time: the last result is cached.
  const letters = (round: number): string => `person ${round} t`
  // Warm up: the first query compiles its code.
  await list({ ...PAGE, query: { ...ALL_CONTACTS, typed: 'x', order: 'name' } })()
  const slowest = {
    slowTyped: await slow((round) => list({ ...PAGE, query: { ...ALL_CONTACTS, typed: `${letters(round)}id` } })()),
    slowSorted: await slow((round) =>
      list({ ...PAGE, query: { ...ALL_CONTACTS, typed: `${letters(round)}ide`, order: 'name' } })(),
    ),
    // The user edits a contact, then continues typing.
    slowChanged: await slow(async (round) => {
      await engine.call('contact.update', { contactId: last?.id ?? '', lastName: `Kite ${round}` })
      await list({ ...PAGE, query: { ...ALL_CONTACTS, typed: `kite ${round}`, order: 'name' } })()
    }),
  }
  const figures = {
    ...slowest,
    first: await median(list(PAGE)),
    end: await median(list({ offset: count - 100, limit: 100 })),
    typed: await median((round) => list({ ...PAGE, query: { ...ALL_CONTACTS, typed: letters(round) } })()),
    sorted: await median((round) =>
      list({ ...PAGE, query: { ...ALL_CONTACTS, typed: `${letters(round)}i`, order: 'name' } })(),
    ),
    byId: await median(() => engine.call('contact.get', { contactId: last?.id ?? '' })),
    byAddress: await median(() => engine.call('contact.get', { contactId: last?.email ?? '' })),
  }
  await engine.stop()
  await platform.stop()
  return figures
}

/** Extra time per letter with 100,000 contacts compared with 100, at the 95th percentile: at most two frames. */
const atMostTwoFrames = (
  few: Readonly<Record<string, number>>,
  most: Readonly<Record<string, number>>,
  asked: string,
  name: string,
): Figure => ({
  name: `${name} among ${MAX} contacts, beyond what it takes among ${FEW}`,
  measured: ((most[asked] ?? 0) - (few[asked] ?? 0)) / FRAME,
  unit: 'frames',
  bound: { kind: 'at most', value: 2 },
  note: `${most[asked]?.toFixed(2)} ms among ${MAX}, ${few[asked]?.toFixed(2)} ms among ${FEW}; 95th of 100, of ${ROUNDS}`,
})

/** Measures loading a page, filtering and opening a contact in small, large and very large address books. */
export const measureContacts = async (): Promise<readonly Figure[]> => {
  const few = await measureAmong(FEW)
  const many = await measureAmong(MANY)
  const most = await measureAmong(MAX)
  type Asked = keyof typeof many
  const note = (asked: Asked): string =>
    `${many[asked].toFixed(2)} ms among ${MANY}, ${few[asked].toFixed(2)} ms among ${FEW}; medians of ${ROUNDS}`
  const ratio = (asked: Asked, name: string, most: number): Figure => ({
    name: `${name} of ${MANY} contacts, against ${FEW}`,
    measured: many[asked] / few[asked],
    unit: '×',
    bound: { kind: 'at most', value: most },
    note: note(asked),
  })
  const frames = (asked: Asked, name: string): Figure => ({
    name: `${name} among ${MANY} contacts`,
    measured: many[asked] / FRAME,
    unit: 'frames',
    bound: { kind: 'at most', value: 1 },
    note: note(asked),
  })
  return [
    ratio('first', 'the first page', 3),
    ratio('end', 'the last page', 3),
    ratio('byId', 'one opened by its ID', 3),
    ratio('byAddress', 'one opened by its address', 3),
    atMostTwoFrames(few, most, 'slowTyped', 'a letter typed into the filter'),
    atMostTwoFrames(few, most, 'slowSorted', 'a letter typed into the filter, by name,'),
    atMostTwoFrames(few, most, 'slowChanged', 'a contact edited and then found'),
    frames('typed', 'a letter typed into the filter'),
    frames('sorted', 'a letter typed into the filter, by name'),
  ]
}
