/**
 * `npm run bench` measures the promises of docs/sync.md, packages/platform/service.md and docs/search-index.md, part by part. `npm
 * run bench -- PART …` runs only these parts; `--million` searches up to 1,000,000 e-mails. Prints a table, writes
 * bench/results.json, and exits with status 1 if a bound is missed or a part fails.
 */
import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { measureAllInboxes } from './all-inboxes.ts'
import { measureAssistants } from './assistants.ts'
import { measureClicks } from './clicks.ts'
import { measureContacts } from './contacts.ts'
import { measureEventFeed } from './event-feed.ts'
import { measureFirstSync } from './first-sync.ts'
import { isReached, type Figure } from './figure.ts'
import { measureHeavyMail } from './heavy-mail.ts'
import { measureIdle } from './idle.ts'
import { measureHost, measureIdlePolls, measureMemory, measureRate } from './large-mailbox.ts'
import { measureKeys } from './keys.ts'
import { measureLargeChanges } from './large-changes.ts'
import { measureLists } from './lists.ts'
import { measureLongThreads } from './long-threads.ts'
import { describeLoad, watchMachine, type MachineLoad } from './machine-load.ts'
import { forgetPlatforms, stopPlatforms } from './platforms.ts'
import { measurePackageSize } from './package-size.ts'
import { measureRules } from './rules.ts'
import { measureSending } from './sending.ts'
import { measureServiceSearch } from './service-search.ts'
import { measureSearch } from './search.ts'
import { measureStartUp } from './start-up.ts'
import { measureTyping } from './typing.ts'
import { measureWriting } from './writing.ts'

/** Timeout of a part, in milliseconds. All parts together take up to two hours on a slow machine with two cores. */
const LONGEST_PART = (process.argv.includes('--million') ? 180 : 30) * 60_000
/** Timeout for stopping the platforms, in milliseconds. */
const LONGEST_STOP = 10_000

const parts: ReadonlyMap<string, () => Promise<readonly Figure[]>> = new Map([
  ['first-sync', measureFirstSync],
  ['rate', measureRate],
  ['host', measureHost],
  ['memory', measureMemory],
  ['poll', measureIdlePolls],
  ['lists', measureLists],
  ['all-inboxes', measureAllInboxes],
  ['contacts', measureContacts],
  ['clicks', measureClicks],
  ['event-feed', measureEventFeed],
  ['heavy-mail', measureHeavyMail],
  ['long-threads', measureLongThreads],
  ['service-search', measureServiceSearch],
  ['search', measureSearch],
  ['assistants', measureAssistants],
  ['rules', measureRules],
  ['large-changes', measureLargeChanges],
  ['typing', measureTyping],
  ['keys', measureKeys],
  ['writing', measureWriting],
  ['sending', measureSending],
  ['start-up', measureStartUp],
  ['idle', measureIdle],
  ['package', measurePackageSize],
])

const wanted = process.argv.slice(2).filter((name) => name !== '--million')
const unknown = wanted.find((name) => !parts.has(name))
if (unknown !== undefined) {
  console.error(`There is no part "${unknown}". There are: ${[...parts.keys()].join(', ')}.`)
  process.exit(2)
}

interface Measured extends Figure {
  readonly part: string
  readonly machine: MachineLoad
}

const round = (value: number): number => Math.round(value * 100) / 100
const boundOf = ({ bound, unit }: Figure): string =>
  bound === null ? '' : `${bound.kind} ${bound.value} ${unit}`.trimEnd()
const print = (figure: Measured): void => {
  const reached = isReached(figure)
  console.log(
    `${reached === false ? 'MISSED' : reached === null ? '      ' : 'ok    '} ${figure.part}: ${figure.name}\n` +
      `         ${round(figure.measured)} ${figure.unit}`.trimEnd() +
      `${figure.bound === null ? '' : ` (${boundOf(figure)})`} · ${describeLoad(figure.machine)}\n         ${figure.note}`,
  )
}

const running = new Set<ChildProcess>()
subscribe('child_process', (message) => {
  const { process: child } = message as { readonly process: ChildProcess }
  running.add(child)
  child.once('exit', () => running.delete(child))
})
const endPrograms = (): void => {
  for (const child of running) child.kill('SIGKILL')
}

const figures: Measured[] = []
const failures: string[] = []
for (const [part, measure] of [...parts].filter(([name]) => wanted.length === 0 || wanted.includes(name))) {
  console.error(`${new Date().toISOString()} ${part} …`)
  const loadSince = watchMachine()
  try {
    const measured = await Promise.race([measure(), sleep(LONGEST_PART, null)])
    if (measured === null) throw new Error(`It did not end within ${LONGEST_PART / 60_000} minutes.`)
    if (measured.length === 0) throw new Error('It measured nothing.')
    for (const each of measured) {
      const figure = { ...each, part, machine: loadSince() }
      figures.push(figure)
      print(figure)
    }
  } catch (thrown) {
    failures.push(`${part}: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
    // Later parts start their own programs.
    endPrograms()
    forgetPlatforms()
  }
}

const directory = join(import.meta.dirname, '..', '..', 'bench')
mkdirSync(directory, { recursive: true })
const results = {
  at: new Date().toISOString(),
  node: process.version,
  machine: `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}`,
  failures,
  figures: figures.map((figure) => ({ ...figure, measured: round(figure.measured), reached: isReached(figure) })),
}
writeFileSync(join(directory, 'results.json'), `${JSON.stringify(results, null, 2)}\n`)

const missed = figures.filter((figure) => isReached(figure) === false)
for (const { part, name, measured, ...figure } of missed) {
  console.error(`Missed, ${part}: ${name}: ${round(measured)}, ${boundOf({ name, measured, ...figure })}`)
}
for (const failure of failures) console.error(`Not measured, ${failure}`)
await Promise.race([stopPlatforms(), sleep(LONGEST_STOP)])
endPrograms()
// A failed part may have left a window, a timer or a thread behind.
process.exit(missed.length + failures.length > 0 ? 1 : 0)
