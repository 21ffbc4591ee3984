// Imported first of all: this process, and every Node and thread that it starts, lives from the same moment on, so that the same mailbox
// has the same dates on every day, and a picture that is drawn anew changes where the window has.
import { syncBuiltinESMExports } from 'node:module'
import { pathToFileURL } from 'node:url'
import workerThreads, { type WorkerOptions } from 'node:worker_threads'

/** A Wednesday morning. */
const MOMENT = Date.UTC(2026, 10, 18, 10, 20)
const VARIABLE = 'LINNET_PICTURE_CLOCK'

const { Date: RealDate, process } = globalThis
const shift = Number(process.env[VARIABLE] ?? MOMENT - RealDate.now())

/** A date that is later or earlier than the computer's by so many milliseconds; as text it is run in a page as well. */
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

// A thread that is started without its parent's environment would live on this computer's time.
class WorkerOfMoment extends workerThreads.Worker {
  constructor(file: string | URL, { env, ...options }: WorkerOptions = {}) {
    const { NODE_OPTIONS, TZ, [VARIABLE]: moment } = process.env
    super(file, { ...options, env: { ...(typeof env === 'object' ? env : {}), NODE_OPTIONS, TZ, [VARIABLE]: moment } })
  }
}
Object.assign(workerThreads, { Worker: WorkerOfMoment })
syncBuiltinESMExports()

/** What a page runs before all others, to live from that moment on as well. */
export const CLOCK_OF_PAGE = `(${shiftClock.toString()})(${shift})`
