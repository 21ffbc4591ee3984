import { ApiError } from '../http/api-error.ts'

/**
 * The work's part of the time: it goes on for half as long as everything else took in its last turn, so that of a busy
 * machine it has a third, for at least and at most so many milliseconds. Who sends mail answers back and forth many times,
 * and may find the work under way each time: the least is what a letter can bear.
 */
const [share, leastTurn, mostTurn] = [0.5, 0.25, 10]

const ending = 'The service is ending. Please try again later.'
const unwanted = 'The request was given up by who made it.'

/** Work that goes on in steps, and its result. */
class Task<Result> {
  readonly #work: Generator<void, Result>
  readonly #end = Promise.withResolvers<Result>()

  constructor(work: Generator<void, Result>) {
    this.#work = work
  }

  get result(): Promise<Result> {
    return this.#end.promise
  }

  /** @returns whether there are more steps */
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
    // Lets the work put away what it holds.
    this.#work.return(undefined as never)
    this.#end.reject(new ApiError(503, 'service_unavailable', why))
  }
}

type Steps = Pick<Task<unknown>, 'step' | 'giveUp'>

/** Lets long work go on in steps, a few of them at a time, between which everything else has its turn. */
export class Turns {
  readonly #atOnce: number
  readonly #underWay: Steps[] = []
  readonly #waiting: Steps[] = []
  #isEnded = false
  #isDue = false
  #lastEnd = 0

  /** @param atOnce how many works are under way; the others wait, in the order in which they came */
  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /**
   * Does the work as soon as there is room for it.
   * @param signal aborts when nobody waits for the result any more
   * @throws what the work throws; ApiError 503 when it was given up
   */
  run<Result>(work: Generator<void, Result>, signal: AbortSignal): Promise<Result> {
    const task = new Task(work)
    if (this.#isEnded) task.giveUp(ending)
    else if (signal.aborted) task.giveUp(unwanted)
    else {
      const onAbort = (): void => {
        this.#leave(task)
        task.giveUp(unwanted)
      }
      const stopListening = (): void => signal.removeEventListener('abort', onAbort)
      signal.addEventListener('abort', onAbort)
      task.result.then(stopListening, stopListening)
      this.#start(task)
    }
    return task.result
  }

  /** Gives up what is under way or waits, and what comes later. */
  end(): void {
    this.#isEnded = true
    for (const task of [...this.#underWay.splice(0), ...this.#waiting.splice(0)]) task.giveUp(ending)
  }

  #start(task: Steps): void {
    if (this.#underWay.length < this.#atOnce) this.#underWay.push(task)
    else this.#waiting.push(task)
    if (this.#isDue) return
    this.#isDue = true
    this.#lastEnd = performance.now()
    setImmediate(() => this.#takeTurn())
  }

  #takeTurn(): void {
    const begin = performance.now()
    const end = begin + Math.min(Math.max(share * (begin - this.#lastEnd), leastTurn), mostTurn)
    for (let task = this.#underWay.shift(); task; task = this.#underWay.shift()) {
      // One step each, so that a short search does not wait for a long one.
      const next = task.step() ? task : this.#waiting.shift()
      if (next) this.#underWay.push(next)
      if (performance.now() >= end) break
    }
    this.#lastEnd = performance.now()
    this.#isDue = this.#underWay.length > 0
    // What has arrived meanwhile is read before an immediate runs.
    if (this.#isDue) setImmediate(() => this.#takeTurn())
  }

  #leave(task: Steps): void {
    for (const list of [this.#underWay, this.#waiting]) {
      const at = list.indexOf(task)
      if (at >= 0) list.splice(at, 1)
    }
    const next = this.#underWay.length < this.#atOnce ? this.#waiting.shift() : undefined
    if (next) this.#underWay.push(next)
  }
}
