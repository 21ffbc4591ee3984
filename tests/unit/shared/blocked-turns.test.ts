import { afterEach, expect, it } from 'vitest'
import { createTurnWatch, LOOK_MS } from '../../../src/shared/blocked-turns.ts'

let timer: NodeJS.Timeout | undefined
afterEach(() => clearInterval(timer))

it('a turn that blocks its thread is noted once, with how long it took', async () => {
  const lines: string[] = []
  const look = createTurnWatch(
    'engine',
    () => performance.now(),
    (level, line) => lines.push(`${level} ${line}`),
  )
  timer = setInterval(look, LOOK_MS)
  const end = performance.now() + 600
  while (performance.now() < end);
  await expect.poll(() => lines.length).toBeGreaterThan(0)
  const longest = lines.map((line) =>
    Number(/^warn engine: a turn blocked the thread for at least (\d+) ms$/.exec(line)?.[1]),
  )
  expect(Math.max(...longest)).toBeGreaterThan(500)
})

it.each([
  ['a look in time', 50, 0],
  ['a turn that nobody sees', 150, 0],
  ['one that a person sees', 152, 1],
])('%s', (_case, milliseconds, noted) => {
  const lines: string[] = []
  let now = 0
  const look = createTurnWatch(
    'host',
    () => now,
    (_level, line) => lines.push(line),
  )
  now = milliseconds
  look()
  expect(lines).toHaveLength(noted)
})
