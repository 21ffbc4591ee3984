// Import this first. It pins the clock of this process and of every Node and thread it starts, so the demo mailbox has
// the same dates every day and a screenshot changes only if the window does.
import { syncBuiltinESMExports } from 'node:module'
import { pathToFileURL } from 'node:url'
import workerThreads, { type WorkerOptions } from 'node:worker_threads'

/** A Wednesday morning. */
const MOMENT = Date.UTC(2026, 10, 18, 10, 20)
const VARIABLE = 'LINNET_PICTURE_CLOCK'

const { Date: RealDate, process } = globalThis
const shift = Number(process.env[VARIABLE] ?? MOMENT - RealDate.now())

/** Shifts `Date` by this many milliseconds. Also runs in pages, as text. */
const shiftClock = (by: number): void => {
  const { Date: Real } = globalThis
  globalThis.Date = new Proxy(Real, {
    construct: (target, given: readonly unknown[], made): object =>
      Reflect.construct(target, given.length === 0 ? [target.now() + by] : given, made) as object,
    apply: (target) => new target(target.now() + by).toString(),
    get: (target, name): unknown => (name === 'now' ? () => target.now() + by : (Reflect.get(target, name) as unknown)),
  })
}

shiftClock(shift)
if (process.env[VARIABLE] === undefined) {
  process.env[VARIABLE] = String(shift)
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import ${pathToFileURL(import.meta.filename).href}`
  process.env.TZ = 'UTC'
}

// A thread that doesn't inherit its parent's environment would use the real time.
class WorkerOfMoment extends workerThreads.Worker {
  constructor(file: string | URL, { env, ...options }: WorkerOptions = {}) {
    const { NODE_OPTIONS, TZ, [VARIABLE]: moment } = process.env
    super(file, { ...options, env: { ...(typeof env === 'object' ? env : {}), NODE_OPTIONS, TZ, [VARIABLE]: moment } })
  }
}
Object.assign(workerThreads, { Worker: WorkerOfMoment })
syncBuiltinESMExports()

/** Script that a page must run first, to shift its clock as well. */
export const CLOCK_OF_PAGE = `(${shiftClock.toString()})(${shift})`
