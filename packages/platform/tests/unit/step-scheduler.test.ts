import { afterEach, describe, expect, test } from 'vitest'
import { StepScheduler } from '../../src/search/step-scheduler.ts'

function* work(name: string, steps: number, said: string[]): Generator<void, string> {
  try {
    for (let step = 1; step <= steps; step += 1) {
      said.push(`${name}${step}`)
      yield
    }
    return `${name} done`
  } finally {
    said.push(`${name} put away`)
  }
}

function* until(isOver: () => boolean): Generator<void, void> {
  while (!isOver()) yield
}

const never = new AbortController().signal

describe('cooperative scheduler', () => {
  let turns: StepScheduler
  afterEach(() => turns.end())

  test('returns results and rethrows errors', async () => {
    turns = new StepScheduler(2)
    const failing = (function* (): Generator<void, string> {
      yield
      throw new RangeError('half-way')
    })()
    const results = await Promise.allSettled([turns.run(work('a', 3, []), never), turns.run(failing, never)])
    expect(results).toEqual([
      { status: 'fulfilled', value: 'a done' },
      { status: 'rejected', reason: new RangeError('half-way') },
    ])
  })

  test('interleaves running jobs up to the limit, then starts the next', async () => {
    turns = new StepScheduler(2)
    const said: string[] = []
    await Promise.all(['a', 'b', 'c'].map((name) => turns.run(work(name, 2, said), never)))
    expect(said.join()).toBe('a1,b1,a2,b2,a put away,b put away,c1,c2,c put away')
  })

  test('leaves time for timers, connections and promises', async () => {
    turns = new StepScheduler(1)
    let isOver = false
    const under = turns.run(
      until(() => isOver),
      never,
    )
    for (let time = 0; time < 10; time += 1) await new Promise((resolve) => setTimeout(resolve, 1))
    isOver = true
    await under
  })

  test('aborts running and queued jobs with their request, and frees their slot', async () => {
    turns = new StepScheduler(1)
    const said: string[] = []
    const [first, second] = [new AbortController(), new AbortController()]
    const givenUp = [turns.run(work('a', 1e9, said), first.signal), turns.run(work('b', 1, said), second.signal)]
    const third = turns.run(work('c', 1, said), never)
    second.abort()
    first.abort()
    for (const one of givenUp) await expect(one).rejects.toMatchObject({ status: 503, name: 'service_unavailable' })
    expect(await third).toBe('c done')
    expect(said.filter((line) => !line.startsWith('a'))).toEqual(['c1', 'c put away'])
    await expect(turns.run(work('d', 1, said), first.signal)).rejects.toMatchObject({ status: 503 })
  })

  test('aborts all jobs on shutdown and rejects later ones', async () => {
    turns = new StepScheduler(1)
    const said: string[] = []
    const all = Promise.allSettled(['a', 'b'].map((name) => turns.run(work(name, 1e9, said), never)))
    await new Promise((resolve) => setImmediate(resolve))
    turns.end()
    const results = [...(await all), ...(await Promise.allSettled([turns.run(work('c', 1, said), never)]))]
    expect(results.map((result) => (result.status === 'rejected' ? (result.reason as Error).name : null))).toEqual(
      Array.from({ length: 3 }, () => 'service_unavailable'),
    )
    expect(said.at(-1)).toBe('a put away')
  })
})
