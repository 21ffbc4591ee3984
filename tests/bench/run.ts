/** `npm run bench`: measures what docs/sync.md promises, prints it as a table and writes bench/results.json. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { measureFirstSync } from './first-sync.ts'
import { isReached, type Figure } from './figure.ts'
import { measureLargeMailbox } from './large-mailbox.ts'

const figures: readonly Figure[] = [...(await measureFirstSync()), ...(await measureLargeMailbox())]

const round = (value: number): number => Math.round(value * 100) / 100
console.table(
  Object.fromEntries(
    figures.map((figure) => [
      figure.name,
      {
        measured: `${round(figure.measured)} ${figure.unit}`.trim(),
        bound: figure.bound === null ? '' : `${figure.bound.kind} ${figure.bound.value}`,
        reached: { true: 'yes', false: 'NO', null: '' }[String(isReached(figure)) as 'true' | 'false' | 'null'],
        note: figure.note,
      },
    ]),
  ),
)

const directory = join(import.meta.dirname, '..', '..', 'bench')
mkdirSync(directory, { recursive: true })
const results = {
  at: new Date().toISOString(),
  node: process.version,
  machine: `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}`,
  figures: figures.map((figure) => ({ ...figure, measured: round(figure.measured), reached: isReached(figure) })),
}
writeFileSync(join(directory, 'results.json'), `${JSON.stringify(results, null, 2)}\n`)
