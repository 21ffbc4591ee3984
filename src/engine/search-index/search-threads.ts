/**
 * Reads the index in the order of the contract and stops when the page is full. Two sides find the next thread, the
 * e-mails that the words name and the threads that folder, labels and read state name; whichever is ahead, the other one
 * is asked from there on. Neither needs to know how much there is of anything.
 */
import type Database from 'better-sqlite3'
import { FOLDERS, type Folder } from '../../shared/model.ts'
import { accountEmailKey, listKey, readAccountEmailKey, type AccountList } from './account-keys.ts'
import { ROOM_APART, type EmailSource } from './index-writer.ts'
import type { SearchPlan } from './search-query.ts'
import { relevanceOf, wordsOfEmail } from './searchable-email.ts'
import { placesOfInbox, type PlaceRange } from './thread-places.ts'

/** A thread that a search found. */
export interface FoundThread {
  readonly inboxId: string
  readonly threadId: string
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  /**
   * The e-mail that matched: with words or phrases the most relevant, else the newest (contract, `matched_email_id`; this is
   * the e-mail's own ID, which the platform's is not). Null where not all of the thread's e-mails are here.
   */
  readonly matchedEmailId: string | null
}

/** The thread after which a page goes on. */
export interface ThreadCursor {
  readonly inboxId: string
  readonly threadId: string
}

export interface FoundPage {
  readonly threads: readonly FoundThread[]
  readonly hasMore: boolean
}

/** How much is looked for in one turn of the engine's thread. */
export interface StepBounds {
  /** E-mails that are found at most. */
  readonly limit: number
  /** After which it stops, whatever it has found. */
  readonly milliseconds: number
}

/** Some e-mails of one of the account's own lists, by their rows. */
export interface FoundRows {
  /** Newest first. */
  readonly rowKeys: readonly number[]
  /** The row after which looking goes on, whether it was found or not; null where the list was looked through. */
  readonly next: number | null
}

export interface CountedByFolder {
  readonly folders: Readonly<Record<Folder, number>>
  /** Where counting goes on; null at the end. */
  readonly next: number | null
}

export interface CountedThreads {
  readonly count: number
  /** Where counting goes on; null at the end. */
  readonly next: number | null
}

interface ThreadRow {
  readonly threadKey: number
  readonly place: number
  readonly room: number
  readonly time: number
  readonly documentsFrom: number
  readonly folder: string
  readonly read: number
  readonly hasOutbound: number
}

interface DocumentRow extends ThreadRow {
  readonly document: number
  readonly emailKey: number
  readonly receivedAt: number
  readonly isOutbound: number
  readonly people: string
}

interface EmailHit {
  readonly emailKey: number
  readonly receivedAt: number
  readonly isOutbound: number
}

interface ThreadHit {
  readonly thread: ThreadRow
  /** Its e-mails that match; empty where the query speaks of threads alone. */
  readonly emails: readonly EmailHit[]
}

interface Inbox {
  readonly key: number
  readonly id: string
  readonly range: PlaceRange
}

/** E-mails in a row whose threads do not fit, before the threads' side is asked where the next fitting one is. */
const MISSES = 64
/** Threads of very many e-mails that are asked one by one, before the index is asked for all of them at once. */
const LARGE_ASKED = 32
/** With more e-mails than these in threads of very many, one of the next threads is sure to match. */
const LARGE_LISTED = 2_000
/**
 * E-mails of one of the account's own lists that are looked through between two looks at the clock: at first, and at most.
 * Asking the index costs something by itself, so that what was quick is asked of twice as many.
 */
const STRETCH = { first: 2_048, longest: 16_384, quickMs: 4 } as const
/** E-mails of one thread whose relevance is weighed; the newest of them. */
const MOST_WEIGHED = 200

const THREAD = `thread_key AS threadKey, place, room, time, documents_from AS documentsFrom, folder, read,
  has_outbound AS hasOutbound`
const DOCUMENT = `document, email_key AS emailKey, received_at AS receivedAt, is_outbound AS isOutbound, people,
  search_threads.${THREAD}`

const noThreads = (): Record<Folder, number> => ({ inbox: 0, archive: 0, spam: 0, sent: 0, trash: 0 })

const isPutAway = ({ folder }: ThreadRow): boolean => folder === 'spam' || folder === 'trash'

/** Contract, Search threads, `folders`; of `sent`, docs/service.md, "where does an e-mail lie". */
const isInFolders = (thread: ThreadRow, wasSent: boolean, { folders }: SearchPlan): boolean =>
  folders.has(thread.folder)
    ? thread.folder !== 'sent' || wasSent
    : folders.has('sent') && wasSent && !isPutAway(thread)

export const createThreadSearch = (database: Database.Database, source: EmailSource) => {
  const selectInbox = database.prepare<[string], number>('SELECT key FROM inboxes WHERE id = ?').pluck()
  const selectThreadId = database.prepare<[number], string>('SELECT id FROM threads WHERE key = ?').pluck()
  const selectEmailId = database.prepare<[number], string>('SELECT id FROM emails WHERE key = ?').pluck()
  const selectIsThere = database.prepare<[number], number>('SELECT on_server FROM threads WHERE key = ?').pluck()
  const selectIsWhole = database
    .prepare<[number], number>('SELECT emails_at IS received_at FROM threads WHERE key = ?')
    .pluck()
  const selectPlace = database.prepare<[number, string], ThreadRow>(
    `SELECT ${THREAD} FROM search_threads
     WHERE thread_key = (SELECT key FROM threads WHERE inbox_key = ? AND id = ?)`,
  )
  const selectThread = database.prepare<[number], ThreadRow>(
    `SELECT ${THREAD} FROM search_threads WHERE thread_key = ?`,
  )
  const selectNotOlder = database.prepare<[number, number], ThreadRow>(
    `SELECT ${THREAD} FROM search_threads WHERE inbox_key = ? AND time >= ? ORDER BY time, place DESC LIMIT 1`,
  )
  const selectBehind = database
    .prepare<[number, number, number], number>(
      'SELECT place FROM search_threads WHERE place >= ? AND place < ? ORDER BY place LIMIT 1 OFFSET ?',
    )
    .pluck()
  const selectNewest = database.prepare<[number, number], EmailHit>(
    `SELECT email_key AS emailKey, received_at AS receivedAt, is_outbound AS isOutbound FROM search_documents
     WHERE document >= ? AND document < ? ORDER BY received_at DESC, email_key DESC LIMIT 1`,
  )

  // FTS5 takes a number of JavaScript, which comes as a real one, for no bound of a rowid.
  const BETWEEN = 'BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)'
  const MATCHING = `SELECT ${DOCUMENT} FROM search_words
       CROSS JOIN search_documents ON document = search_words.rowid
       CROSS JOIN search_threads ON search_threads.thread_key = search_documents.thread_key
     WHERE search_words MATCH ? AND search_words.rowid ${BETWEEN} ORDER BY search_words.rowid`
  const EVERY = `SELECT ${DOCUMENT} FROM search_documents
       CROSS JOIN search_threads ON search_threads.thread_key = search_documents.thread_key
     WHERE document ${BETWEEN} ORDER BY document`
  type Documents = Database.Statement<(string | number)[], DocumentRow>
  /** Several are read at the same time: one for each inbox, and others in between. */
  const idle = new Map<string, Documents[]>()

  const listLarge = database
    .prepare<[string, number], number>(
      `SELECT thread_key FROM search_words CROSS JOIN search_documents ON document = search_words.rowid
       WHERE search_words MATCH ? AND search_words.rowid < CAST(0 AS INTEGER) LIMIT ?`,
    )
    .pluck()
  const nextLarge = database.prepare<[number, number, number], ThreadRow>(
    `SELECT ${THREAD} FROM search_threads WHERE inbox_key = ? AND place >= ? AND place < ? AND documents_from < 0
     ORDER BY place LIMIT 1`,
  )

  const nextIn = (condition: string) =>
    database
      .prepare<(number | string)[], number>(
        `SELECT place FROM search_threads WHERE inbox_key = ? AND ${condition} AND place >= ? ORDER BY place LIMIT 1`,
      )
      .pluck()
  const nextInFolder = nextIn('folder = ?')
  const nextRead = nextIn('read = ?')
  const nextOutbound = nextIn('has_outbound = 1')
  const nextAny = database
    .prepare<[number, number], number>(
      'SELECT place FROM search_threads WHERE place >= ? AND place < ? ORDER BY place LIMIT 1',
    )
    .pluck()
  const nextLabelled = database
    .prepare<[number, string, number], number>(
      'SELECT place FROM search_labels WHERE inbox_key = ? AND label_id = ? AND place >= ? ORDER BY place LIMIT 1',
    )
    .pluck()
  const selectLastBefore = database
    .prepare<[number], number>('SELECT thread_key FROM search_threads WHERE place < ? ORDER BY place DESC LIMIT 1')
    .pluck()
  const selectAt = database.prepare<[number], ThreadRow>(`SELECT ${THREAD} FROM search_threads WHERE place = ?`)
  const isLabelled = database
    .prepare<[number, string, number], number>(
      'SELECT 1 FROM search_labels WHERE inbox_key = ? AND label_id = ? AND place = ?',
    )
    .pluck()

  function* documentsBetween({ expression }: SearchPlan, first: number, last: number): Generator<DocumentRow, void> {
    const sql = expression === null ? EVERY : MATCHING
    const statements = idle.get(sql) ?? []
    idle.set(sql, statements)
    const statement = statements.pop() ?? database.prepare<(string | number)[], DocumentRow>(sql)
    try {
      yield* statement.iterate(...(expression === null ? [] : [expression]), first, last)
    } finally {
      statements.push(statement)
    }
  }

  /** The index does not know what the platform has dropped: the thread's own row does. */
  const fitsDropped = ({ threadKey }: ThreadRow, { dropped }: SearchPlan): boolean =>
    dropped === null || selectIsThere.get(threadKey) === Number(!dropped)

  /** What of a thread as a whole is asked, save for its folder. */
  const fitsThread = (inbox: Inbox, thread: ThreadRow, plan: SearchPlan): boolean =>
    (plan.read === null || thread.read === Number(plan.read)) &&
    (plan.labelIds.length === 0 ||
      plan.labelIds.some((id) => isLabelled.get(inbox.key, id, thread.place) !== undefined)) &&
    fitsDropped(thread, plan)

  const fitsEmail = (row: DocumentRow, plan: SearchPlan): boolean => {
    const { email } = plan
    if (email === null) return true
    return (
      row.receivedAt >= email.since &&
      row.receivedAt < email.until &&
      isInFolders(row, row.isOutbound === 1, plan) &&
      (email.people.length === 0 || email.people.every((fits) => fits(row.people.split(' '))))
    )
  }

  /** The first place from one on at which a thread may fit, by folder, labels and read state. Infinity at the end. */
  const nextPlace = (inbox: Inbox, from: number, plan: SearchPlan): number => {
    const { folders, labelIds, read, isAnywhere } = plan
    const firstOf = (places: readonly (number | undefined)[]): number =>
      Math.min(...places.map((place) => place ?? Infinity))
    const sides: ((place: number) => number)[] = []
    if (labelIds.length > 0) {
      sides.push((place) => firstOf(labelIds.map((id) => nextLabelled.get(inbox.key, id, place))))
    }
    if (!isAnywhere) {
      sides.push((place) =>
        firstOf([
          ...[...folders].map((folder) => nextInFolder.get(inbox.key, folder, place)),
          ...(folders.has('sent') ? [nextOutbound.get(inbox.key, place)] : []),
        ]),
      )
    }
    if (read !== null) sides.push((place) => nextRead.get(inbox.key, Number(read), place) ?? Infinity)
    if (sides.length === 0) return nextAny.get(from, inbox.range.end) ?? Infinity
    for (let place = from, agreeing = 0; ;) {
      for (const next of sides) {
        const at = next(place)
        agreeing = at === place ? agreeing + 1 : 1
        place = at
        if (place === Infinity || agreeing >= sides.length) return place
      }
    }
  }

  /** Threads of the places from one to another that a query finds which speaks of threads alone. @param end exclusive */
  function* threadsAlone(inbox: Inbox, from: number, end: number, plan: SearchPlan): Generator<ThreadHit> {
    for (let place = nextPlace(inbox, from, plan); place < end; place = nextPlace(inbox, place + 1, plan)) {
      const thread = selectAt.get(place)
      if (thread === undefined || !fitsDropped(thread, plan)) continue
      if (isInFolders(thread, thread.hasOutbound === 1, plan)) yield { thread, emails: [] }
    }
  }

  /** Threads with an e-mail that matches, of those whose e-mails are in the order itself. */
  function* threadsInOrder(inbox: Inbox, from: number, last: number, plan: SearchPlan): Generator<ThreadHit> {
    let rows = documentsBetween(plan, from, last)
    let found: { readonly thread: ThreadRow; readonly emails: EmailHit[] } | null = null
    let misses = 0
    try {
      for (let next = rows.next(); ; next = rows.next()) {
        const row = next.done === true ? null : next.value
        if (found !== null && row?.threadKey !== found.thread.threadKey) {
          yield found
          found = null
        }
        if (row === null) return
        if (fitsEmail(row, plan) && (found !== null || fitsThread(inbox, row, plan))) {
          found ??= { thread: row, emails: [] }
          found.emails.push(row)
          misses = 0
          continue
        }
        misses += 1
        // Of a thread that matches, each e-mail may be the one that matched.
        if (misses < MISSES || found !== null) continue
        misses = MISSES / 2
        // From the thread itself on: a later e-mail of it may fit where this one does not.
        const place = nextPlace(inbox, row.place, plan)
        // The place of a thread is where its documents begin.
        if (place <= row.place + row.room) continue
        rows.return()
        if (place > last) return
        rows = documentsBetween(plan, place, last)
      }
    } finally {
      rows.return()
    }
  }

  /** The e-mails of a thread that match. */
  const emailsOf = (thread: ThreadRow, plan: SearchPlan): readonly EmailHit[] => {
    const { documentsFrom, room } = thread
    const last = documentsFrom + (documentsFrom < 0 ? ROOM_APART : room) - 1
    return [...documentsBetween(plan, documentsFrom, last)].filter((row) => fitsEmail(row, plan))
  }

  /** The threads of very many e-mails, which are apart from the order, each asked by itself. */
  const createLargeSide = (inbox: Inbox, from: number, plan: SearchPlan) => {
    let position = from
    let asked = 0
    /** All that match, once that is known. */
    let listed: ReadonlySet<number> | null = null
    return {
      /** The next of them before a place. */
      next: (before: number): ThreadHit | null => {
        for (;;) {
          const thread = nextLarge.get(inbox.key, position, before)
          if (thread === undefined) return null
          position = thread.place + 1
          if (!fitsThread(inbox, thread, plan) || listed?.has(thread.threadKey) === false) continue
          const emails = emailsOf(thread, plan)
          if (emails.length > 0) return { thread, emails }
          asked += 1
          if (asked === LARGE_ASKED && plan.expression !== null) {
            const keys = listLarge.all(plan.expression, LARGE_LISTED)
            if (keys.length < LARGE_LISTED) listed = new Set(keys)
          }
        }
      },
    }
  }

  /** The end of the places in which a thread may have an e-mail that is not too old. */
  const endOfPlaces = (inbox: Inbox, { email }: SearchPlan): number => {
    if (email === null || email.since === -Infinity) return inbox.range.end
    const oldest = selectNotOlder.get(inbox.key, email.since)
    return oldest === undefined ? inbox.range.first : oldest.place + oldest.room
  }

  function* threadsWithEmail(inbox: Inbox, from: number, end: number, plan: SearchPlan): Generator<ThreadHit> {
    const last = end - 1
    const large = createLargeSide(inbox, from, plan)
    for (const hit of threadsInOrder(inbox, from, last, plan)) {
      for (let other = large.next(hit.thread.place); other !== null; other = large.next(hit.thread.place)) yield other
      yield hit
    }
    for (let other = large.next(last + 1); other !== null; other = large.next(last + 1)) yield other
  }

  /** The threads of the places from one on that match, latest activity first. @param end exclusive */
  const threadsFrom = (
    inbox: Inbox,
    from: number,
    plan: SearchPlan,
    end = endOfPlaces(inbox, plan),
  ): Generator<ThreadHit> => (plan.email === null ? threadsAlone : threadsWithEmail)(inbox, from, end, plan)

  /** Contract, `matched_email_id`: "With words or phrases in `query` it is the most relevant match; otherwise the newest." */
  const chooseEmail = ({ thread, emails }: ThreadHit, plan: SearchPlan): number | null => {
    if (plan.email === null) {
      if (selectIsWhole.get(thread.threadKey) !== 1) return null
      const { documentsFrom, room } = thread
      return selectNewest.get(documentsFrom, documentsFrom + (documentsFrom < 0 ? ROOM_APART : room))?.emailKey ?? null
    }
    const newestFirst = emails.toSorted((a, b) => b.receivedAt - a.receivedAt || b.emailKey - a.emailKey)
    const [newest] = newestFirst
    if (newest === undefined) return null
    if (newestFirst.length === 1 || plan.terms.length === 0) return newest.emailKey
    let best = newest.emailKey
    let bestScore = -1
    for (const { emailKey } of newestFirst.slice(0, MOST_WEIGHED)) {
      const email = source.read(emailKey)
      const score = email === undefined ? 0 : relevanceOf(wordsOfEmail(email), plan.terms)
      if (score <= bestScore) continue
      best = emailKey
      bestScore = score
    }
    return best
  }

  /** @returns the place from which an inbox goes on after a thread of this or another inbox */
  const placeAfter = (
    inbox: Inbox,
    cursor: { readonly inbox: Inbox; readonly thread: ThreadRow },
    isBehind: boolean,
  ) => {
    if (inbox.id === cursor.inbox.id) return cursor.thread.place + cursor.thread.room
    // Threads of one time are in the order of their inboxes.
    const newer = selectNotOlder.get(inbox.key, isBehind ? cursor.thread.time + 1 : cursor.thread.time)
    return newer === undefined ? inbox.range.first : newer.place + newer.room
  }

  const openInboxes = ({ inboxIds }: SearchPlan): readonly Inbox[] =>
    inboxIds.flatMap((id) => {
      const key = selectInbox.get(id)
      const range = key === undefined ? null : placesOfInbox(key)
      return key === undefined || range === null ? [] : [{ key, id, range }]
    })
  const foundThread = (inbox: Inbox, hit: ThreadHit, plan: SearchPlan): FoundThread => {
    const emailKey = chooseEmail(hit, plan)
    return {
      inboxId: inbox.id,
      threadId: selectThreadId.get(hit.thread.threadKey) ?? '',
      receivedAt: hit.thread.time,
      matchedEmailId: emailKey === null ? null : (selectEmailId.get(emailKey) ?? null),
    }
  }
  /** A thread by itself, where it matches. */
  const matchOf = (inbox: Inbox, thread: ThreadRow, plan: SearchPlan): ThreadHit | null => {
    if (!fitsThread(inbox, thread, plan)) return null
    if (plan.email === null) return isInFolders(thread, thread.hasOutbound === 1, plan) ? { thread, emails: [] } : null
    const emails = emailsOf(thread, plan)
    return emails.length === 0 ? null : { thread, emails }
  }

  const rowKeyOf = (threadKey: number): number | null => readAccountEmailKey(threadKey)?.rowKey ?? null

  /** The threads of a page, latest activity first; null where the cursor is a thread that the cache does not know. */
  const pageAfter = (
    plan: SearchPlan,
    after: ThreadCursor | null,
    limit: number,
  ): {
    readonly page: readonly { readonly inbox: Inbox; readonly hit: ThreadHit }[]
    readonly hasMore: boolean
  } | null => {
    const inboxes = openInboxes(plan)
    const cursorAt = inboxes.findIndex(({ id }) => id === after?.inboxId)
    const cursorInbox = inboxes[cursorAt]
    const cursorThread =
      after === null || cursorInbox === undefined ? undefined : selectPlace.get(cursorInbox.key, after.threadId)
    if (after !== null && (cursorInbox === undefined || cursorThread === undefined)) return null

    const sources = inboxes.map((inbox, at) => {
      const from =
        cursorInbox === undefined || cursorThread === undefined
          ? inbox.range.first
          : placeAfter(inbox, { inbox: cursorInbox, thread: cursorThread }, at > cursorAt)
      return { inbox, hits: threadsFrom(inbox, from, plan) }
    })
    const heads = sources.map(({ inbox, hits }) => ({ inbox, hits, head: hits.next() }))
    const page: { readonly inbox: Inbox; readonly hit: ThreadHit }[] = []
    try {
      while (page.length <= limit) {
        let newest: (typeof heads)[number] | null = null
        for (const source_ of heads) {
          if (source_.head.done === true) continue
          const time = newest === null || newest.head.done === true ? -Infinity : newest.head.value.thread.time
          if (newest === null || source_.head.value.thread.time > time) newest = source_
        }
        if (newest === null || newest.head.done === true) break
        page.push({ inbox: newest.inbox, hit: newest.head.value })
        newest.head = newest.hits.next()
      }
    } finally {
      for (const { hits } of heads) hits.return(undefined)
    }
    return { page: page.slice(0, limit), hasMore: page.length > limit }
  }

  return {
    /**
     * Looks through one of the account's own lists, newest first, for as long as `bounds` say.
     * @param after the row after which it goes on; null at the top
     * @returns null where that row is not in the index
     */
    searchList: (
      plan: SearchPlan,
      list: AccountList,
      after: number | null,
      { limit, milliseconds }: StepBounds,
    ): FoundRows | null => {
      let now = performance.now()
      const end = now + milliseconds
      const key = listKey(list)
      const range = placesOfInbox(key)
      if (range === null) return null
      const inbox = { key, id: list, range }
      const cursor = after === null ? undefined : selectThread.get(accountEmailKey(list, after))
      if (after !== null && cursor === undefined) return null
      const last = endOfPlaces(inbox, plan)
      const rowKeys: number[] = []
      let from = cursor === undefined ? range.first : cursor.place + cursor.room
      for (let length: number = STRETCH.first; from < last;) {
        const beyond = selectBehind.get(from, range.end, length)
        for (const { thread } of threadsFrom(inbox, from, plan, Math.min(last, beyond ?? range.end))) {
          const rowKey = rowKeyOf(thread.threadKey)
          if (rowKey !== null) rowKeys.push(rowKey)
          if (rowKeys.length >= limit) return { rowKeys, next: rowKey }
        }
        if (beyond === undefined) break
        from = beyond
        const startedAt = now
        now = performance.now()
        if (now >= end) return { rowKeys, next: rowKeyOf(selectLastBefore.get(beyond) ?? 0) }
        if (now - startedAt < STRETCH.quickMs) length = Math.min(2 * length, STRETCH.longest)
      }
      return { rowKeys, next: null }
    },
    /** Those of some threads of an inbox that match as they are now, by their IDs. */
    matching: (plan: SearchPlan, inboxId: string, threadIds: readonly string[]): readonly FoundThread[] => {
      const inbox = openInboxes(plan).find(({ id }) => id === inboxId)
      if (inbox === undefined) return []
      return threadIds.flatMap((threadId) => {
        const thread = selectPlace.get(inbox.key, threadId)
        const hit = thread === undefined ? null : matchOf(inbox, thread, plan)
        return hit === null ? [] : [foundThread(inbox, hit, plan)]
      })
    },
    /**
     * A page of threads, latest activity first.
     * @param after the last thread of the page before: null for the first page. It may fit no more.
     * @returns null where the cursor is a thread that the cache does not know
     */
    search: (plan: SearchPlan, after: ThreadCursor | null, limit: number): FoundPage | null => {
      const found = pageAfter(plan, after, limit)
      if (found === null) return null
      return { threads: found.page.map(({ inbox, hit }) => foundThread(inbox, hit, plan)), hasMore: found.hasMore }
    },
    /** The same by folder. @param plan looks in every folder */
    countByFolder: (plan: SearchPlan, from: number | null, threads: number): CountedByFolder => {
      const folders = noThreads()
      const [inbox] = openInboxes(plan)
      if (inbox === undefined) return { folders, next: null }
      const [first, end] = [from ?? inbox.range.first, endOfPlaces(inbox, plan)]
      const next = selectBehind.get(first, end, threads) ?? null
      for (const { thread, emails } of threadsFrom(inbox, first, plan, next ?? end)) {
        const wasSent =
          plan.email === null ? thread.hasOutbound === 1 : emails.some(({ isOutbound }) => isOutbound === 1)
        for (const folder of FOLDERS) {
          const isHere = folder === 'sent' ? wasSent && !isPutAway(thread) : thread.folder === folder
          if (isHere) folders[folder] += 1
        }
      }
      return { folders, next }
    },
    /** Goes through so many threads of the first inbox of a search, from a place on, and counts those that match. */
    count: (plan: SearchPlan, from: number | null, threads: number): CountedThreads => {
      const [inbox] = openInboxes(plan)
      if (inbox === undefined) return { count: 0, next: null }
      const [first, end] = [from ?? inbox.range.first, endOfPlaces(inbox, plan)]
      const next = selectBehind.get(first, end, threads) ?? null
      let count = 0
      for (const _hit of threadsFrom(inbox, first, plan, next ?? end)) count += 1
      return { count, next }
    },
  }
}
