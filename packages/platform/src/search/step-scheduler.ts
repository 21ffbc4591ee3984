import { ApiError } from '../http/api-error.ts'

/**
 * Each turn lasts half as long as everything else took since the last turn (so a third of the time on a busy machine),
 * within these bounds in milliseconds. The minimum is small because an SMTP sender may have to wait for a turn on every
 * round trip.
 */
const [share, leastTurn, mostTurn] = [0.5, 0.25, 10]

const ending = 'The service is ending. Please try again later.'
const unwanted = 'The request was given up by who made it.'

class Task<Result> {
  readonly #work: Generator<void, Result>
  readonly #end = Promise.withResolvers<Result>()

  constructor(work: Generator<void, Result>) {
    this.#work = work
  }

  get result(): Promise<Result> {
    return this.#end.promise
  }

  /** @returns true if more steps follow */
  step(): boolean {
    try {
      const { done, value } = this.#work.next()
      if (done !== true) return true
      this.#end.resolve(value)
    } catch (error) {
      this.#end.reject(error)
    }
    return false
  }

  giveUp(why: string): void {
    // Lets the work release its resources.
    this.#work.return(undefined as never)
    this.#end.reject(new ApiError(503, 'service_unavailable', why))
  }
}

type Steps = Pick<Task<unknown>, 'step' | 'giveUp'>

/** Runs long work in steps, a few per turn, so that everything else runs in between. */
export class StepScheduler {
  readonly #atOnce: number
  readonly #running: Steps[] = []
  readonly #waiting: Steps[] = []
  #isEnded = false
  #isDue = false
  #lastEnd = 0

  /** @param atOnce number of tasks that run concurrently; others wait in order */
  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /** @param signal aborts when nobody needs the result @throws errors of the work; ApiError 503 if cancelled */
  run<Result>(work: Generator<void, Result>, signal: AbortSignal): Promise<Result> {
    const task = new Task(work)
    if (this.#isEnded) task.giveUp(ending)
    else if (signal.aborted) task.giveUp(unwanted)
    else {
      const onAbort = (): void => {
        this.#remove(task)
        task.giveUp(unwanted)
      }
      const stopListening = (): void => signal.removeEventListener('abort', onAbort)
      signal.addEventListener('abort', onAbort)
      task.result.then(stopListening, stopListening)
      this.#start(task)
    }
    return task.result
  }

  /** Cancels all running, waiting and future work. */
  end(): void {
    this.#isEnded = true
    for (const task of [...this.#running.splice(0), ...this.#waiting.splice(0)]) task.giveUp(ending)
  }

  #start(task: Steps): void {
    if (this.#running.length < this.#atOnce) this.#running.push(task)
    else this.#waiting.push(task)
    if (this.#isDue) return
    this.#isDue = true
    this.#lastEnd = performance.now()
    setImmediate(() => this.#takeTurn())
  }

  #takeTurn(): void {
    const begin = performance.now()
    const end = begin + Math.min(Math.max(share * (begin - this.#lastEnd), leastTurn), mostTurn)
    for (let task = this.#running.shift(); task; task = this.#running.shift()) {
      // One step each, so short searches don't wait for long ones.
      const next = task.step() ? task : this.#waiting.shift()
      if (next) this.#running.push(next)
      if (performance.now() >= end) break
    }
    this.#lastEnd = performance.now()
    this.#isDue = this.#running.length > 0
    // A `setImmediate` callback lets pending I/O events run first.
    if (this.#isDue) setImmediate(() => this.#takeTurn())
  }

  #remove(task: Steps): void {
    for (const list of [this.#running, this.#waiting]) {
      const at = list.indexOf(task)
      if (at >= 0) list.splice(at, 1)
    }
    const next = this.#running.length < this.#atOnce ? this.#waiting.shift() : undefined
    if (next) this.#running.push(next)
  }
}
