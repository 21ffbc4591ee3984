import { problem } from '../saying.ts'
import type { HttpClient, PlatformRequest } from './http-client.ts'
import type { Progress } from '../network/exchange.ts'
import type { OutgoingFile } from './outgoing-body.ts'
import type { Priority } from './request-budget.ts'

/** The most rows in one page (contract, "Limits"). */
export const PAGE_LIMIT = 100

/** Every ID that a platform gives; nothing else can be the row to continue after. */
const CURSOR = /^[!-~]{1,512}$/

/** More topics or attachments than any list has. */
const MAX_ITEMS = 10_000

/** How urgent a call is, and what ends it. */
export interface CallOptions {
  readonly priority: Priority
  /** Hears how much of what is sent is handed on; only of calls that carry files. */
  readonly progress?: Progress | undefined
  readonly signal: AbortSignal
}

export interface PageOptions extends CallOptions {
  /** The last ID of the page before. */
  readonly after?: string | undefined
  /** 1 to 100; 100 by default. */
  readonly limit?: number
}

/** A call that takes effect once, however often it is made with the same key within a day (platform facts 1). */
export interface SendOptions extends CallOptions {
  readonly idempotencyKey: string
}

/** A page of one of the platform's lists. */
export interface ListPage<Item> {
  readonly items: readonly Item[]
  /** Whether another page follows. Where the platform does not say, a full page means yes. */
  readonly hasMore: boolean
  /** False where an unreadable item was left out: what such a page does not show may still be there. */
  readonly isWhole: boolean
}

/** @throws ProblemError `invalid_input` for a page outside the contract's limits, before anything is sent */
const rangeOf = (options: PageOptions): { readonly limit: number; readonly after: string | undefined } => {
  const { after, limit = PAGE_LIMIT } = options
  const isWithinLimits = Number.isInteger(limit) && limit >= 1 && limit <= PAGE_LIMIT
  if (!isWithinLimits) throw problem('invalid_input', `A page has 1 to ${PAGE_LIMIT} rows, and not ${limit}.`)
  if (after !== undefined && 'before' in options) {
    throw problem('invalid_input', 'A page goes on after a row or before one, and not both.')
  }
  if (after !== undefined && !CURSOR.test(after)) {
    throw problem('invalid_input', 'A page goes on after the ID of a row.')
  }
  return { limit, after }
}

/** The pages of a list. Stops at one without a new ID, or after `most`: `hasMore` is still true then. */
export const eachPage = async function* <Item extends { readonly id: string }>(
  fetchPage: (after: string | undefined) => Promise<ListPage<Item>>,
  most = Infinity,
): AsyncGenerator<ListPage<Item>, void> {
  const met = new Set<string>()
  let after: string | undefined
  for (let count = 1, leadsOn = true; leadsOn; count += 1) {
    const page = await fetchPage(after)
    const before = met.size
    for (const { id } of page.items) met.add(id)
    leadsOn = page.hasMore && met.size > before && count < most
    after = page.items.at(-1)?.id
    yield page
  }
}

type Extras = Pick<PlatformRequest, 'query' | 'maxBytes'>

/**
 * What the calls of every resource are made of: one request each by its method, or a list by pages. All throw what
 * `HttpClient.request` throws.
 */
export class Requests {
  readonly #client: Pick<HttpClient, 'request'>

  constructor(client: Pick<HttpClient, 'request'>) {
    this.#client = client
  }

  get(path: string, { priority, signal }: CallOptions, extras: Extras = {}): Promise<unknown> {
    return this.#client.request({ method: 'GET', path, ...extras, priority, signal })
  }

  patch(
    path: string,
    body: object,
    { priority, progress, signal }: CallOptions,
    files: readonly OutgoingFile[] = [],
  ): Promise<unknown> {
    return this.#client.request({ method: 'PATCH', path, body, files, priority, progress, signal })
  }

  put(path: string, body: object, { priority, signal }: CallOptions): Promise<unknown> {
    return this.#client.request({ method: 'PUT', path, body, priority, signal })
  }

  post(path: string, body: object, { priority, signal }: CallOptions): Promise<unknown> {
    return this.#client.request({ method: 'POST', path, body, priority, signal })
  }

  /** A POST of a form with files in it (`multipart/form-data`). */
  async postForm(path: string, form: FormData, { priority, signal }: CallOptions): Promise<unknown> {
    const written = new Response(form)
    const bytes = new Uint8Array(await written.arrayBuffer())
    const contentType = written.headers.get('content-type') ?? ''
    return this.#client.request({ method: 'POST', path, form: { bytes, contentType }, priority, signal })
  }

  delete(path: string, { priority, signal }: CallOptions): Promise<unknown> {
    return this.#client.request({ method: 'DELETE', path, priority, signal })
  }

  /** A POST that must take effect only once, with the files that go with it. */
  send(
    path: string,
    body: object,
    files: readonly OutgoingFile[],
    { priority, progress, signal, idempotencyKey }: SendOptions,
  ): Promise<unknown> {
    return this.#client.request({ method: 'POST', path, body, files, idempotencyKey, priority, progress, signal })
  }

  /** One page of a list. */
  async page<Item>(
    read: (body: unknown, limit: number) => ListPage<Item>,
    path: string,
    options: PageOptions,
    { query, ...extras }: Extras = {},
  ): Promise<ListPage<Item>> {
    const range = rangeOf(options)
    return read(await this.get(path, options, { query: { ...query, ...range }, ...extras }), range.limit)
  }

  /** A whole list, for lists that are short by nature. @param most items after which it stops */
  async all<Item extends { readonly id: string }>(
    read: (body: unknown, limit: number) => ListPage<Item>,
    path: string,
    options: CallOptions,
    most = MAX_ITEMS,
  ): Promise<readonly Item[]> {
    const all = new Map<string, Item>()
    for await (const { items } of eachPage((after) => this.page(read, path, { ...options, after }))) {
      for (const item of items) all.set(item.id, item)
      if (all.size >= most) break
    }
    return [...all.values()]
  }
}
