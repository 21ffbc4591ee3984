import { afterEach, describe, expect, test } from 'vitest'
import { Turns } from '../../../src/service/search/turns.ts'

/** Work of some steps that says each of them. */
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

/** Work that goes on until it is told. */
function* until(isOver: () => boolean): Generator<void, void> {
  while (!isOver()) yield
}

const never = new AbortController().signal

describe('long work that takes turns', () => {
  let turns: Turns
  afterEach(() => turns.end())

  test('gives what it returns and throws what it throws', async () => {
    turns = new Turns(2)
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

  test('goes step by step among as many as may be under way, and begins the next when one is done', async () => {
    turns = new Turns(2)
    const said: string[] = []
    await Promise.all(['a', 'b', 'c'].map((name) => turns.run(work(name, 2, said), never)))
    expect(said.join()).toBe('a1,b1,a2,b2,a put away,b put away,c1,c2,c put away')
  })

  test('lets timers, connections and promises go on while it is under way', async () => {
    turns = new Turns(1)
    let isOver = false
    const under = turns.run(
      until(() => isOver),
      never,
    )
    for (let time = 0; time < 10; time += 1) await new Promise((resolve) => setTimeout(resolve, 1))
    isOver = true
    await under
  })

  test('is given up when its request is, under way or waiting, and makes room', async () => {
    turns = new Turns(1)
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

  test('is given up at the end, and so is what comes later', async () => {
    turns = new Turns(1)
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
