import { expect, it, vi } from 'vitest'
import { LinkQueue } from '../../../src/host/link-queue.ts'

const search = (query: string) => ({ kind: 'search', inboxId: null, query }) as const

it('keeps the newest ten links until a window takes them, each once', () => {
  const waiting = vi.fn()
  const queue = new LinkQueue(waiting)
  expect(queue.take()).toBeNull()
  for (let count = 1; count <= 12; count += 1) queue.add(search(`fog ${count}`))
  expect(waiting).toHaveBeenCalledTimes(12)
  expect(queue.take()).toEqual(search('fog 3'))
  for (let count = 4; count <= 12; count += 1) expect(queue.take()).toEqual(search(`fog ${count}`))
  expect(queue.take()).toBeNull()
})
