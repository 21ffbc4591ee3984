import { describe, expect, it } from 'vitest'
import { ListCursor } from '../../../src/renderer/ui/list-cursor.svelte.ts'
import { WindowedList, LIST_WINDOW_ROWS } from '../../../src/renderer/ui/windowed-list.svelte.ts'
import { fail, ok } from '../../../src/shared/result.ts'
import { until } from './support/until.ts'

interface Row {
  readonly id: string
}

const createSource = (total: number) => {
  const rows: Row[] = Array.from({ length: total }, (_, index) => ({ id: `row-${index}` }))
  const asked: number[] = []
  let isBroken = false
  let isHeld = false
  const list = new WindowedList<Row>(
    async ({ offset, limit }) => {
      asked.push(offset / LIST_WINDOW_ROWS)
      // The response shows the rows at the time of the request's arrival.
      await Promise.resolve()
      if (isBroken) return fail('unreachable', 'The platform cannot be reached.')
      const items = rows.slice(offset, offset + limit)
      return ok({ items, offset, total: rows.length, freshness: { state: 'live', at: 0 } as const })
    },
    { isFrozen: () => isHeld },
  )
  return {
    list,
    rows,
    asked,
    break: (broken: boolean) => (isBroken = broken),
    hold: (held: boolean) => (isHeld = held),
  }
}

const openSource = async (count: number): Promise<ReturnType<typeof createSource>> => {
  const source = createSource(count)
  void source.list.open()
  await until(() => source.list.phase === 'ready')
  return source
}

describe('list of 100,000 rows', () => {
  it('reads only the rows around the screen', async () => {
    const { list, asked } = createSource(100_000)
    expect(asked).toEqual([])
    void list.open()
    await until(() => list.phase === 'ready')
    list.show(50_000, 50_040)
    await until(() => list.at(50_040) !== undefined)
    expect(list.total).toBe(100_000)
    expect(list.at(50_001)).toEqual({ id: 'row-50001' })
    expect(list.at(20_000)).toBeUndefined()
    expect(asked.length).toBeLessThan(6)
  })

  it('reloads visible rows on a change, keeps old ones until then, and others once visible', async () => {
    const { list, rows, asked } = createSource(100_000)
    void list.open()
    list.show(0, 40)
    await until(() => list.at(0) !== undefined)
    list.show(50_000, 50_040)
    await until(() => list.at(50_000) !== undefined)
    rows.unshift({ id: 'new' })
    asked.length = 0
    list.refresh()
    expect(list.at(50_000)).toEqual({ id: 'row-50000' })
    await until(() => list.at(50_000)?.id === 'row-49999')
    expect(asked).not.toContain(0)
    expect(list.at(0)?.id).toBe('row-0')
    list.show(0, 40)
    await until(() => list.at(0)?.id === 'new')
  })

  it('updates all visible windows together, so no row is duplicated or missing', async () => {
    let shift = 0
    const answers: (() => void)[] = []
    const list = new WindowedList<Row>(
      ({ offset, limit }) =>
        new Promise((resolve) => {
          const items = Array.from({ length: limit }, (_, index) => ({ id: `row-${offset + index - shift}` }))
          const freshness = { state: 'live', at: 0 } as const
          answers.push(() => resolve(ok({ items, offset, total: 1_000 + shift, freshness })))
        }),
    )
    const answerNext = async (): Promise<void> => {
      answers.shift()?.()
      await new Promise((resolve) => setTimeout(resolve, 0))
    }
    void list.open()
    // A window's first read is shown on arrival.
    await answerNext()
    expect(list.at(0)?.id).toBe('row-0')
    list.show(LIST_WINDOW_ROWS - 10, LIST_WINDOW_ROWS + 10)
    while (answers.length > 0) await answerNext()
    shift = 3
    list.refresh()
    expect(answers).toHaveLength(1)
    const around = (): readonly (string | undefined)[] =>
      [LIST_WINDOW_ROWS - 1, LIST_WINDOW_ROWS, LIST_WINDOW_ROWS + 1].map((index) => list.at(index)?.id)
    await answerNext()
    expect([around(), list.total]).toEqual([
      [LIST_WINDOW_ROWS - 4, LIST_WINDOW_ROWS - 3, LIST_WINDOW_ROWS - 2].map((row) => `row-${row}`),
      1_003,
    ])
  })

  it('keeps unchanged row objects, even in another window', async () => {
    let shift = 0
    const list = new WindowedList<Row>(({ offset, limit }) => {
      const items = Array.from({ length: limit }, (_, index) => ({ id: `row-${offset + index - shift}` }))
      return Promise.resolve(ok({ items, offset, total: 1_000, freshness: { state: 'live', at: 0 } as const }))
    })
    await list.open()
    const last = list.at(LIST_WINDOW_ROWS - 1)
    shift = 1
    list.refresh()
    await list.whenSettled()
    expect(list.at(LIST_WINDOW_ROWS)).toBe(last)
    expect(list.at(0)).toEqual({ id: 'row--1' })
  })

  it('combines many changes during a read into one more read', async () => {
    const { list, asked } = createSource(50)
    void list.open()
    for (let change = 0; change < 20; change += 1) list.refresh()
    await until(() => list.phase === 'ready' && asked.length >= 2)
    await new Promise((resolve) => setTimeout(resolve, 0))
    expect(asked).toEqual([0, 0])
  })

  it('pauses while off the screen and catches up when back', async () => {
    const { list, rows, asked } = await openSource(10)
    list.close()
    asked.length = 0
    rows.unshift({ id: 'new' })
    list.refresh()
    expect(asked).toEqual([])
    void list.open()
    await until(() => list.at(0)?.id === 'new')
  })

  it('keeps its rows and length while paused, reads newly visible rows, then catches up', async () => {
    const { list, rows, asked, hold } = await openSource(1_000)
    const endOfReads = () => new Promise((resolve) => setTimeout(resolve, 0))
    list.refresh()
    list.refresh()
    hold(true)
    rows.splice(0, 300)
    await endOfReads()
    list.refresh()
    list.show(500, 540)
    await until(() => list.at(500) !== undefined)
    await endOfReads()
    expect([list.at(0)?.id, list.total]).toEqual(['row-0', 1_000])
    list.show(0, 40)
    hold(false)
    asked.length = 0
    list.reloadStale()
    await until(() => list.at(0)?.id === 'row-300')
    expect([list.total, asked]).toEqual([700, [0]])
  })

  it('drops rows far from the screen', async () => {
    const { list } = createSource(100_000)
    void list.open()
    for (let first = 0; first < 6_000; first += 100) {
      list.show(first, first + 40)
      await until(() => list.at(first) !== undefined)
    }
    expect(list.at(0)).toBeUndefined()
  })

  it('drops rows beyond a nearer end', async () => {
    const { list, rows } = await openSource(300)
    list.show(200, 240)
    await until(() => list.at(240) !== undefined)
    rows.length = 150
    list.refresh()
    await until(() => list.total === 150)
    expect(list.at(240)).toBeUndefined()
  })
})

describe('list that fails to load', () => {
  it('has failed without any rows, and recovers', async () => {
    const source = createSource(10)
    source.break(true)
    void source.list.open()
    await until(() => source.list.phase === 'failed')
    expect(source.list.problem?.message).toBe('The platform cannot be reached.')
    source.break(false)
    source.list.refresh()
    await until(() => source.list.phase === 'ready')
    expect(source.list.problem).toBeNull()
  })

  it('keeps its rows and says why they may be stale', async () => {
    const source = createSource(10)
    void source.list.open()
    await until(() => source.list.phase === 'ready')
    source.break(true)
    source.list.refresh()
    await until(() => source.list.problem !== null)
    expect(source.list.phase).toBe('ready')
    expect(source.list.at(3)).toEqual({ id: 'row-3' })
  })
})

describe('list cursor', () => {
  it('stays on its row while others arrive above', async () => {
    const { list, rows } = await openSource(20)
    const cursor = new ListCursor<Row>()
    cursor.moveTo(list, 4)
    rows.unshift({ id: 'new' })
    list.refresh()
    await until(() => list.at(0)?.id === 'new')
    cursor.settle(list)
    expect([cursor.index, cursor.row(list)]).toEqual([5, { id: 'row-4' }])
  })

  it('waits for a row that will return, and acts on no other', async () => {
    const { list, rows } = await openSource(3)
    const cursor = new ListCursor<Row>()
    const refresh = async (): Promise<void> => {
      const { length } = rows
      list.refresh()
      await until(() => list.total === length)
      cursor.settle(list)
    }
    const { promise: settled, resolve } = Promise.withResolvers<undefined>()
    cursor.moveTo(list, 1)
    const [taken] = rows.splice(1, 1)
    await refresh()
    if (taken === undefined) throw new Error('there is one')
    cursor.follow(list, taken.id, settled)
    expect([cursor.isAwaited, cursor.row(list)]).toEqual([true, undefined])
    rows.splice(1, 0, taken)
    await refresh()
    expect([cursor.isAwaited, cursor.row(list)]).toEqual([false, taken])
    // This read started before the row was back, so the cursor keeps waiting.
    rows.splice(1, 1)
    await refresh()
    expect(cursor.row(list)).toBeUndefined()
    rows.splice(1, 0, taken)
    resolve(undefined)
    await settled
    await refresh()
    expect(cursor.row(list)).toEqual(taken)
  })

  it('waits for its row in an emptied list that is reloading', async () => {
    const { list, rows } = await openSource(3)
    const cursor = new ListCursor<Row>()
    const taken = rows.splice(0)
    list.refresh()
    await until(() => list.total === 0)
    cursor.settle(list)
    const { promise: settled, resolve } = Promise.withResolvers<undefined>()
    cursor.follow(list, 'row-1', settled)
    cursor.settle(list)
    rows.push(...taken)
    list.refresh()
    await until(() => list.total === 3)
    cursor.settle(list)
    expect([cursor.index, cursor.row(list)]).toEqual([1, { id: 'row-1' }])
    resolve(undefined)
  })

  it('moves to the next row when its own is gone, or to the last', async () => {
    const { list, rows } = await openSource(3)
    const cursor = new ListCursor<Row>()
    for (const [index, expected] of [
      [1, 'row-2'],
      [1, 'row-0'],
    ] as const) {
      cursor.moveTo(list, index)
      rows.splice(index, 1)
      const left = rows.length
      list.refresh()
      await until(() => list.total === left)
      cursor.settle(list)
      expect(cursor.id).toBe(expected)
    }
  })

  it('scrolls when moved, but not when rows shift under it', async () => {
    const { list, rows } = await openSource(20)
    const cursor = new ListCursor<Row>()
    cursor.moveTo(list, 4)
    const moves = cursor.moves
    rows.unshift({ id: 'new' })
    list.refresh()
    await until(() => list.at(0)?.id === 'new')
    cursor.settle(list)
    expect(cursor.moves).toBe(moves)
    cursor.moveTo(list, 5)
    expect(cursor.moves).toBeGreaterThan(moves)
  })

  it('waits for a row chosen by ID that loads later', async () => {
    const { list } = createSource(300)
    const cursor = new ListCursor<Row>()
    void list.open()
    cursor.follow(list, 'row-220')
    await until(() => list.phase === 'ready')
    cursor.settle(list)
    expect(cursor.id).toBe('row-220')
    const moves = cursor.moves
    list.show(200, 240)
    await until(() => list.at(220) !== undefined)
    cursor.settle(list)
    expect(cursor.index).toBe(220)
    expect(cursor.moves).toBeGreaterThan(moves)
  })

  it('waits for its row even before the first load', async () => {
    const { list } = createSource(30)
    const cursor = new ListCursor<Row>()
    cursor.moveTo(list, 0)
    cursor.follow(list, 'row-7')
    cursor.settle(list)
    void list.open()
    await until(() => list.phase === 'ready')
    cursor.settle(list)
    expect([cursor.index, cursor.row(list)]).toEqual([7, { id: 'row-7' }])
  })

  it('stays within the list', async () => {
    const { list } = await openSource(3)
    const cursor = new ListCursor<Row>()
    cursor.moveTo(list, 99)
    expect(cursor.index).toBe(2)
    cursor.moveTo(list, -5)
    expect(cursor.index).toBe(0)
  })
})
