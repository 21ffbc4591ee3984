import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FoundThread } from '../../../../../src/engine/store/search-index/search-threads.ts'
import { SEARCH_LAG_MS, type SearchPorts } from '../../../../../src/engine/mail/search/platform-search.ts'
import { CursorExpiredError } from '../../../../../src/engine/mail/search/search-problem.ts'
import { SearchSession } from '../../../../../src/engine/mail/search/search-session.ts'
import type { LocalSearchCoverage } from '../../../../../src/shared/model.ts'
import { createFolderQuery, type ThreadFilter } from '../../../../../src/shared/thread-query.ts'
import { createSteppedClock } from '../../../../support/stepped-clock.ts'

/** A thread whose text matches, and the sources that know it. */
interface Matching {
  readonly id: string
  readonly time: number
  readonly isOnPlatform: boolean
  isHere: boolean
  folder: 'inbox' | 'archive'
  /** Folder in the platform's index, which lags. */
  folderThere: 'inbox' | 'archive'
  isChanged: boolean
}

/** Small pages, so that a few threads take several requests. */
const PAGE = 2
const byTime = (one: Matching, other: Matching): number => other.time - one.time

/**
 * An in-memory mailbox with both sources of a search.
 * @param isSearchedHere true if part of it is stored locally
 * @param extent how much of the mailbox is stored locally
 */
const openMailbox = (
  threads: readonly Matching[],
  isSearchedHere: boolean,
  others: Partial<SearchPorts> = {},
  filter: Partial<ThreadFilter> = {},
  extent: LocalSearchCoverage = { emails: 1, of: 1 },
) => {
  const all = new Map(threads.map((thread) => [thread.id, thread]))
  let requests = 0
  const matchOf = ({ id, time }: Matching): FoundThread => ({ id, time, emailId: `mail of ${id}` })
  const foundHere = (): readonly Matching[] =>
    threads.filter(({ isHere, folder }) => isSearchedHere && isHere && folder === 'inbox').toSorted(byTime)
  const ports: SearchPorts = {
    threadState: (id) => {
      const thread = all.get(id)
      return thread === undefined
        ? undefined
        : {
            receivedAt: thread.time,
            folder: thread.folder,
            read: true,
            labelIds: [],
            hasOutbound: false,
            onServer: true,
          }
    },
    subjectOf: (id) => id,
    threadSearch: {
      page: (_query, after, limit) => {
        const list = foundHere()
        const last = after === null ? undefined : all.get(after.id)
        const start = last === undefined ? 0 : list.findLastIndex(({ time }) => time >= last.time) + 1
        const found = list.slice(start, start + Math.min(limit, 2))
        return { threads: found.map(matchOf), hasMore: start + found.length < list.length }
      },
      spellings: () => [],
      matching: (_query, ids) => foundHere().flatMap((each) => (ids.includes(each.id) ? [matchOf(each)] : [])),
    },
    extent: () => (isSearchedHere ? { ...extent } : { emails: 0, of: 1 }),
    fetchPage: async (_clock, after) => {
      requests += 1
      await Promise.resolve()
      const list = threads
        .filter(({ isOnPlatform, folderThere }) => isOnPlatform && folderThere === 'inbox')
        .toSorted(byTime)
      const start = after === undefined ? 0 : list.findIndex(({ id }) => id === after) + 1
      const page = list.slice(start, start + PAGE)
      return {
        found: page.map(({ id, time }) => ({ id, time, emailId: null })),
        isEnd: start + PAGE >= list.length,
        isWhole: true,
      }
    },
    isJustChanged: (id) => all.get(id)?.isChanged === true,
    question: () => undefined,
    predictRejection: () => null,
    problemOf: () => Promise.resolve({ code: 'internal', message: 'A test has failed.' }),
    changed: () => undefined,
    clock: () => ({ now: 0, timeZone: 'UTC' }),
    now: () => 0,
    after: () => () => undefined,
    ...others,
  }
  const text = [{ text: 'fog', isPhrase: false, isExcluded: false }]
  const query = { ...createFolderQuery('inbox', 'inbox'), text, ...filter }
  const session = new SearchSession(query, ports)
  return {
    session,
    requests: () => requests,
    move: (thread: Matching | undefined) => {
      if (thread === undefined) return
      thread.folder = thread.folder === 'inbox' ? 'archive' : 'inbox'
      thread.isChanged = true
      session.touch([thread.id], new Set())
    },
    index: () => {
      for (const thread of threads) thread.folderThere = thread.folder
    },
    expected: (): readonly string[] =>
      threads
        .filter(
          ({ isOnPlatform, isHere, folder }) => folder === 'inbox' && (isOnPlatform || (isHere && isSearchedHere)),
        )
        .toSorted(byTime)
        .map(({ id }) => id),
  }
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 0))

const matching = fc
  .array(fc.record({ isOnPlatform: fc.boolean(), isHere: fc.boolean(), isArchived: fc.boolean() }), { maxLength: 7 })
  .map((rows) =>
    rows.map(({ isArchived, ...row }, index): Matching => ({
      ...row,
      id: `t${index}`,
      // All times differ, because each source breaks ties its own way.
      time: 1_000 - ((index * 5) % 7) * 10,
      // The platform searches the inbox, so it doesn't find threads archived from the start.
      isOnPlatform: row.isOnPlatform && !isArchived,
      folder: isArchived ? 'archive' : 'inbox',
      folderThere: isArchived ? 'archive' : 'inbox',
      isChanged: false,
    })),
  )
const action = fc.oneof(
  fc.nat(6).map((at) => ({ kind: 'move', at }) as const),
  fc.nat(6).map((at) => ({ kind: 'read', at }) as const),
  fc.constant({ kind: 'ask again' } as const),
  fc.constant({ kind: 'index' } as const),
)

describe('a search of two sources', () => {
  it('lists every thread from either source once, in order, through any changes', async () => {
    await fc.assert(
      fc.asyncProperty(matching, fc.array(action, { maxLength: 40 }), fc.boolean(), async (threads, actions, here) => {
        const { session, move, index, expected } = openMailbox(threads, here)
        const seen = new Set<string>()
        for (const act of actions) {
          if (act.kind === 'move') move(threads[act.at])
          else if (act.kind === 'ask again') session.platform.invalidate()
          else if (act.kind === 'index') index()
          else {
            const { rows } = session.read({ offset: 0, limit: act.at + 1 }, false)
            const ids = rows.map(({ id }) => id)
            expect(new Set(ids).size).toBe(ids.length)
            // A partial result is a subset of the full one, in the same order.
            expect(ids).toEqual(expected().filter((id) => ids.includes(id)))
          }
          await settle()
          // Once listed, a thread stays while it belongs there, whatever the platform's index says.
          const listed = session.read({ offset: 0, limit: 100 }, true).rows.map(({ id }) => id)
          for (const id of listed) seen.add(id)
          expect(listed).toEqual(expected().filter((id) => seen.has(id)))
        }
        index()
        session.platform.invalidate()
        session.read({ offset: 0, limit: 100 }, false)
        await settle()
        const { rows, total, hasMore, searched } = session.read({ offset: 0, limit: 100 }, false)
        expect(rows.map(({ id }) => id)).toEqual(expected())
        expect([total, hasMore, searched.platform.state]).toEqual([rows.length, false, 'answered'])
      }),
      { numRuns: 200 },
    )
  })

  it('retries a transient failure with back-off while a window shows it', async () => {
    const timers: { readonly at: number; readonly ring: () => void }[] = []
    let failing = 9
    let requests = 0
    let told = 0
    const { session } = openMailbox([], false, {
      fetchPage: () => {
        requests += 1
        failing -= 1
        return failing < 0
          ? Promise.resolve({ found: [], isEnd: true, isWhole: true })
          : Promise.reject(new Error('No answer.'))
      },
      problemOf: () => Promise.resolve({ code: failing === 0 ? 'key_rejected' : 'platform_failed', message: 'No.' }),
      after: (at, ring) => {
        const timer = { at, ring }
        timers.push(timer)
        return () => timers.splice(timers.indexOf(timer), timers.includes(timer) ? 1 : 0)
      },
      changed: () => (told += 1),
    })
    const read = async () => {
      session.read({ offset: 0, limit: 10 }, false)
      await settle()
      return session.read({ offset: 0, limit: 10 }, false).searched.platform.state
    }
    const waits: number[] = []
    expect(await read()).toBe('failed')
    for (let timer = timers.shift(); timer !== undefined; timer = timers.shift()) {
      waits.push(timer.at)
      const [before, toldBefore] = [requests, told]
      expect(await read()).toBe('failed')
      timer.ring()
      // Only the window is notified; it has to ask again.
      expect([requests, told]).toEqual([before, toldBefore + 1])
      expect(await read()).toBe('failed')
      expect(requests).toBe(before + 1)
    }
    expect(waits).toEqual([30_000, 60_000, 120_000, 240_000, 480_000])
    // A manual retry resets the back-off, a rejected key isn't retried, and a response ends it.
    session.platform.invalidate()
    failing = 2
    expect(await read()).toBe('failed')
    timers.shift()?.ring()
    expect([await read(), timers.length]).toEqual(['failed', 0])
    session.platform.invalidate()
    expect([await read(), timers.length]).toEqual(['answered', 0])
  })

  it('restarts once from the top if a page fails, and then reports it', async () => {
    const asked: (string | undefined)[] = []
    let refused = 1
    const pages = [['a', 'b'], ['c']]
    const { session } = openMailbox([], false, {
      threadState: (id) => ({
        receivedAt: 9 - id.charCodeAt(0),
        folder: 'inbox',
        read: true,
        labelIds: [],
        hasOutbound: false,
        onServer: true,
      }),
      fetchPage: (_clock, after) => {
        asked.push(after)
        refused -= after === undefined ? 0 : 1
        if (after !== undefined && refused >= 0) return Promise.reject(new CursorExpiredError())
        const found = pages[after === undefined ? 0 : 1] ?? []
        return Promise.resolve({
          found: found.map((id) => ({ id, time: 9 - id.charCodeAt(0), emailId: null })),
          isEnd: after !== undefined,
          isWhole: true,
        })
      },
    })
    const read = async () => {
      session.read({ offset: 0, limit: 10 }, false)
      await settle()
      return session.read({ offset: 0, limit: 10 }, false)
    }
    const whole = await read()
    expect(asked).toEqual([undefined, 'b', undefined, 'b'])
    expect(whole.rows.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect([whole.searched.platform.state, whole.hasMore]).toEqual(['answered', false])

    asked.length = 0
    refused = 2
    session.platform.invalidate()
    const failed = await read()
    expect(asked).toEqual([undefined, 'b', undefined, 'b'])
    // Earlier results stay, and no more are promised.
    expect(failed.rows.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect([failed.searched.platform.state, failed.hasMore]).toEqual(['failed', false])
    asked.length = 0
    session.platform.invalidate()
    expect((await read()).searched.platform.state).toBe('answered')
    expect(asked[0]).toBeUndefined()
  })

  it('restarts from the top with the current time after a failure', async () => {
    const asked: unknown[] = []
    let now = 0
    let isDown = false
    const { session } = openMailbox([], false, {
      clock: () => ({ now: (now += 1), timeZone: 'UTC' }),
      fetchPage: (clock, after) => {
        asked.push([clock.now, after])
        if (isDown) return Promise.reject(new Error('No answer.'))
        isDown = true
        return Promise.resolve({ found: [{ id: 'a', time: 1, emailId: null }], isEnd: false, isWhole: true })
      },
    })
    session.read({ offset: 0, limit: 10 }, false)
    await settle()
    const began = now
    session.platform.invalidate()
    session.read({ offset: 0, limit: 10 }, false)
    await settle()
    expect(asked).toEqual([
      [began, undefined],
      [began, 'a'],
      [began + 1, undefined],
    ])
  })

  it('warns about missing new mail until it has asked again a minute later', async () => {
    const clock = createSteppedClock(1_000_000)
    const thread = {
      isOnPlatform: true,
      isHere: true,
      folder: 'inbox',
      folderThere: 'inbox',
      isChanged: false,
    } as const
    const { session, requests } = openMailbox([{ ...thread, id: 'new', time: 1_000_000 }], true, {
      now: clock.now,
      after: clock.after,
    })
    const read = async () => {
      session.read({ offset: 0, limit: 10 }, false)
      await settle()
      return session.read({ offset: 0, limit: 10 }, false).searched
    }
    expect(await read()).toMatchObject({ mayLag: false, platform: { state: 'answered' } })
    session.touch(['new'], new Set())
    expect(await read()).toMatchObject({ mayLag: false })
    session.touch(['new'], new Set(['new']))
    expect(await read()).toMatchObject({ mayLag: true })
    await clock.advance(SEARCH_LAG_MS - 1)
    expect(await read()).toMatchObject({ mayLag: true })
    expect(requests()).toBe(1)
    await clock.advance(1)
    expect(await read()).toMatchObject({ mayLag: false, platform: { state: 'answered' } })
    expect(requests()).toBe(2)
  })

  it('warns about mail that came before the first request, and asks again', async () => {
    const clock = createSteppedClock(1_000_000)
    const thread = {
      isOnPlatform: true,
      isHere: true,
      folder: 'inbox',
      folderThere: 'inbox',
      isChanged: false,
    } as const
    const ports = { now: clock.now, after: clock.after }
    const { session, requests } = openMailbox([{ ...thread, id: 'new', time: 1_000_000 }], true, ports)
    session.touch(['new'], new Set(['new']))
    await clock.advance(SEARCH_LAG_MS - 1_000)
    const read = async () => {
      session.read({ offset: 0, limit: 10 }, false)
      await settle()
      return session.read({ offset: 0, limit: 10 }, false).searched
    }
    expect(await read()).toMatchObject({ mayLag: true, platform: { state: 'answered' } })
    await clock.advance(1_000)
    expect(await read()).toMatchObject({ mayLag: false })
    expect(requests()).toBe(2)
    await clock.advance(SEARCH_LAG_MS)
    await read()
    expect(requests()).toBe(2)
  })

  it('reports covering the newest 10,000 threads (platform.md 9.6)', async () => {
    for (const [threads, isCapped] of [
      [9_999, false],
      [10_000, true],
    ] as const) {
      const found = Array.from({ length: threads }, (_none, at) => ({ id: `t${at}`, time: at, emailId: null }))
      const { session } = openMailbox([], false, {
        fetchPage: () => Promise.resolve({ found, isEnd: true, isWhole: true }),
      })
      session.read({ offset: 0, limit: 10 }, false)
      await settle()
      expect(session.read({ offset: 0, limit: 10 }, false).searched.isCapped).toBe(isCapped)
    }
  })

  it('serves each window its own rows from the same responses', async () => {
    const thread = {
      isOnPlatform: true,
      isHere: false,
      folder: 'inbox',
      folderThere: 'inbox',
      isChanged: false,
    } as const
    const threads = Array.from({ length: 7 }, (_none, at) => ({ ...thread, id: `t${at}`, time: 100 - at }))
    const { session, requests } = openMailbox(threads, false)
    const read = () =>
      [
        [0, 1],
        [4, 2],
      ].map(([offset = 0, limit = 0]) => session.read({ offset, limit }, false).rows.map(({ id }) => id))
    read()
    await settle()
    expect(read()).toEqual([['t0'], ['t4', 't5']])
    await settle()
    const asked = requests()
    for (let again = 0; again < 5; again += 1) read()
    await settle()
    expect(requests()).toBe(asked)
    // A retry for one window lets the other keep its rows in the meantime.
    session.platform.invalidate()
    expect(read()).toEqual([['t0'], ['t4', 't5']])
    await settle()
    expect(read()).toEqual([['t0'], ['t4', 't5']])
    expect(requests()).toBeGreaterThan(asked)
  })

  it('keeps a row whose reverted change the platform hasn’t indexed yet', async () => {
    const thread = { id: 'a', time: 1, isOnPlatform: true, isHere: false, isChanged: false } as const
    const mailbox = [{ ...thread, folder: 'inbox', folderThere: 'inbox' } as Matching]
    const { session, move, index } = openMailbox(mailbox, false)
    const read = async () => {
      session.read({ offset: 0, limit: 10 }, false)
      await settle()
      return session.read({ offset: 0, limit: 10 }, false).rows.map(({ id }) => id)
    }
    expect(await read()).toEqual(['a'])
    move(mailbox[0])
    index()
    session.platform.invalidate()
    expect(await read()).toEqual([])
    move(mailbox[0])
    expect(await read()).toEqual(['a'])
    session.platform.invalidate()
    expect(await read()).toEqual(['a'])
  })

  /** A local search that finds one thread, and the second once its `isHere` is set. */
  const openWithLate = () => {
    const thread = { isOnPlatform: false, folder: 'inbox', folderThere: 'inbox', isChanged: false } as const
    const late = { ...thread, id: 'late', time: 2, isHere: false }
    const { session } = openMailbox([{ ...thread, id: 'early', time: 1, isHere: true }, late], true)
    const ids = () => session.read({ offset: 0, limit: 10 }, true).rows.map(({ id }) => id)
    return { late, session, ids }
  }

  it('finds more once more is indexed locally, to the same depth', () => {
    const { late, session, ids } = openWithLate()
    expect(ids()).toEqual(['early'])
    late.isHere = true
    expect(session.takeChanged()).toBe(false)
    session.invalidateLocal()
    expect(session.takeChanged()).toBe(true)
    expect(ids()).toEqual(['late', 'early'])
  })

  it('reports a changed list once, even if a window has read it in between', () => {
    const { late, session, ids } = openWithLate()
    expect(ids()).toEqual(['early'])
    late.isHere = true
    session.touch(['late'], new Set())
    expect(ids()).toEqual(['late', 'early'])
    expect([session.takeChanged(), session.takeChanged()]).toEqual([true, false])
    late.isHere = false
    session.touch(['late'], new Set())
    expect(session.listed()).toEqual(['early'])
    expect([session.takeChanged(), session.takeChanged()]).toEqual([true, false])
  })

  it('reports a change if more was searched locally without new results', () => {
    const thread = { id: 'a', time: 1, isOnPlatform: false, isHere: true, isChanged: false } as const
    const extent = { emails: 3, of: 4 }
    const { session } = openMailbox([{ ...thread, folder: 'inbox', folderThere: 'inbox' }], true, {}, {}, extent)
    const searched = () => session.read({ offset: 0, limit: 10 }, true).searched.computer
    expect(searched()).toEqual({ emails: 3, of: 4 })
    extent.emails = 4
    session.touch(['other'], new Set())
    expect([session.takeChanged(), session.takeChanged()]).toEqual([true, false])
    expect(searched()).toEqual({ emails: 4, of: 4 })
  })

  it('shows local rows with their matches before the platform responds', () => {
    const row = { isOnPlatform: false, isHere: true, folder: 'inbox', folderThere: 'inbox', isChanged: false } as const
    const { session, requests } = openMailbox(
      [
        { ...row, id: 'a', time: 2 },
        { ...row, id: 'b', time: 1 },
      ],
      true,
    )
    const first = session.read({ offset: 0, limit: 10 }, true)
    expect(first.rows).toEqual([
      { id: 'a', time: 2, match: { by: 'computer', emailId: 'mail of a' } },
      { id: 'b', time: 1, match: { by: 'computer', emailId: 'mail of b' } },
    ])
    expect(first).toMatchObject({ total: 2, hasMore: false, searched: { platform: { state: 'not asked' } } })
    expect(requests()).toBe(0)
    expect(session.read({ offset: 0, limit: 10 }, false).searched.platform.state).toBe('waiting')
    expect(requests()).toBe(1)
  })

  it('holds read threads in an unread search while a window asks for it', async () => {
    const row = { isOnPlatform: true, isHere: true, folder: 'inbox', folderThere: 'inbox', isChanged: false } as const
    const threads = ['a', 'b', 'c'].map((id): Matching => ({ ...row, id, time: 1 }))
    const read = new Set<string>()
    const state = (id: string) => {
      const thread = threads.find((each) => each.id === id)
      return (
        thread && {
          receivedAt: 1,
          folder: thread.folder,
          read: read.has(id),
          labelIds: [],
          hasOutbound: false,
          onServer: true,
        }
      )
    }
    for (const isSearchedHere of [true, false]) {
      read.clear()
      const match = (id: string) => ({ id, time: 1, emailId: `mail of ${id}` })
      const found = () => threads.filter(({ id }) => !read.has(id)).map(({ id }) => match(id))
      const { session } = openMailbox(
        threads,
        isSearchedHere,
        {
          threadState: state,
          threadSearch: {
            page: () => ({ threads: isSearchedHere ? found() : [], hasMore: false }),
            spellings: () => [],
            matching: (_query, ids) => (isSearchedHere ? found().filter(({ id }) => ids.includes(id)) : []),
          },
          fetchPage: () =>
            Promise.resolve({
              found: found().map(({ id, time }) => ({ id, time, emailId: null })),
              isEnd: true,
              isWhole: true,
            }),
        },
        { read: false },
      )
      const list = (held: readonly string[] = []) => {
        const { rows, total } = session.read({ offset: 0, limit: 10 }, false, held)
        expect(total).toBe(rows.length)
        return rows.map(({ id }) => id)
      }
      list()
      await settle()
      expect(list()).toEqual(['a', 'b', 'c'])
      read.add('b')
      session.touch(['b'], new Set())
      expect(list()).toEqual(['a', 'c'])
      expect(list(['b'])).toEqual(['a', 'b', 'c'])
      expect(session.list.matchOf('b')).toEqual(isSearchedHere ? { by: 'computer', emailId: 'mail of b' } : null)
      // The platform responds without the late thread.
      session.platform.invalidate()
      list(['b'])
      await settle()
      expect(list(['b', 'nowhere']).toSorted()).toEqual(['a', 'b', 'c'])
      session.invalidateLocal()
      expect(list(['b']).toSorted()).toEqual(['a', 'b', 'c'])
      for (const thread of threads) if (thread.id === 'b') thread.folder = 'archive'
      session.touch(['b'], new Set())
      expect(list(['b'])).toEqual(['a', 'c'])
      for (const thread of threads) thread.folder = 'inbox'
      session.touch(['b'], new Set())
      // A window that showed the thread is notified that it is back.
      expect(session.takeChanged()).toBe(true)
      expect(list(['b']).toSorted()).toEqual(['a', 'b', 'c'])
      read.delete('b')
      session.touch(['b'], new Set())
      expect(list().toSorted()).toEqual(['a', 'b', 'c'])
      session.platform.close()
    }
  })

  it('lists platform results only if their subject matches, and stops at last', async () => {
    const text = [{ text: 'fog', isPhrase: false, isExcluded: false, isInSubject: true as const }]
    const state = { folder: 'inbox', read: true, labelIds: [], hasOutbound: false, onServer: true }
    let pages = 0
    const { session } = openMailbox(
      [],
      true,
      {
        threadState: (id) => ({ ...state, receivedAt: 1_000_000 - Number(id) }),
        subjectOf: (id) => (id === '7' ? 'Fóg until noon' : 'Gull'),
        // The word is in every body.
        fetchPage: async () => {
          await Promise.resolve()
          const found = Array.from({ length: 100 }, (_, at) => {
            const id = String(pages * 100 + at)
            return { id, time: 1_000_000 - Number(id), emailId: null }
          })
          pages += 1
          return { found, isEnd: false, isWhole: true }
        },
      },
      { text },
    )
    for (let turn = 0; turn < 30; turn += 1) {
      session.read({ offset: 0, limit: 50 }, false)
      await settle()
    }
    const { rows, hasMore } = session.read({ offset: 0, limit: 50 }, false)
    expect(rows.map(({ id }) => id)).toEqual(['7'])
    expect(pages).toBe(10)
    // The rest hasn't been checked.
    expect(hasMore).toBe(true)
    session.platform.close()
  })
})
