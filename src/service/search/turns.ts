import { ApiError } from '../http/api-error.ts'

/** Lets long work go on in steps, a few of them at a time, between which everything else has its turn. */
export interface Turns {
  /**
   * Does the work as soon as there is room for it.
   * @param signal aborts when nobody waits for the result any more
   * @throws what the work throws; ApiError 503 when it was given up
   */
  run<Result>(work: Generator<void, Result>, signal: AbortSignal): Promise<Result>
  /** Gives up what is under way or waits, and what comes later. */
  end(): void
}

interface Task {
  /** @returns whether there are more steps */
  step(): boolean
  giveUp(why: string): void
}

/**
 * The work's part of the time: it goes on for half as long as everything else took in its last turn, so that of a busy
 * machine it has a third, for at least and at most so many milliseconds. Who sends mail answers back and forth many times,
 * and may find the work under way each time: the least is what a letter can bear.
 */
const [share, leastTurn, mostTurn] = [0.5, 0.25, 10]

const ending = 'The service is ending. Please try again later.'

/** @param atOnce how many works are under way; the others wait, in the order in which they came */
export function createTurns(atOnce: number): Turns {
  const underWay: Task[] = []
  const waiting: Task[] = []
  let isEnded = false
  let isDue = false
  let lastEnd = 0

  const takeTurn = (): void => {
    const begin = performance.now()
    const end = begin + Math.min(Math.max(share * (begin - lastEnd), leastTurn), mostTurn)
    for (let task = underWay.shift(); task; task = underWay.shift()) {
      // One step each, so that a short search does not wait for a long one.
      const next = task.step() ? task : waiting.shift()
      if (next) underWay.push(next)
      if (performance.now() >= end) break
    }
    lastEnd = performance.now()
    isDue = underWay.length > 0
    // What has arrived meanwhile is read before an immediate runs.
    if (isDue) setImmediate(takeTurn)
  }

  const start = (task: Task): void => {
    if (underWay.length < atOnce) underWay.push(task)
    else waiting.push(task)
    if (isDue) return
    isDue = true
    lastEnd = performance.now()
    setImmediate(takeTurn)
  }

  const leave = (task: Task): void => {
    for (const list of [underWay, waiting]) {
      const at = list.indexOf(task)
      if (at >= 0) list.splice(at, 1)
    }
    const next = underWay.length < atOnce ? waiting.shift() : undefined
    if (next) underWay.push(next)
  }

  return {
    run: (work, signal) =>
      new Promise((resolve, reject) => {
        const giveUp = (why: string): void => {
          signal.removeEventListener('abort', onAbort)
          // Lets the work put away what it holds.
          work.return(undefined as never)
          reject(new ApiError(503, 'service_unavailable', why))
        }
        const task: Task = {
          step() {
            try {
              const { done, value } = work.next()
              if (done !== true) return true
              resolve(value)
            } catch (error) {
              // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- it is passed on as it was thrown
              reject(error)
            }
            signal.removeEventListener('abort', onAbort)
            return false
          },
          giveUp,
        }
        function onAbort(): void {
          leave(task)
          giveUp('The request was given up by who made it.')
        }
        if (isEnded) giveUp(ending)
        else if (signal.aborted) onAbort()
        else {
          signal.addEventListener('abort', onAbort)
          start(task)
        }
      }),
    end() {
      isEnded = true
      for (const task of [...underWay.splice(0), ...waiting.splice(0)]) task.giveUp(ending)
    },
  }
}
