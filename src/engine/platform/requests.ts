import type { HttpClient, PlatformRequest } from './http-client.ts'
import type { OnTransferProgress } from './exchange.ts'
import type { OutgoingFile } from './outgoing-body.ts'
import type { Priority } from './request-budget.ts'
import { createProblem } from '../../shared/result.ts'

/** Maximum rows per page (platform.md 5.2). */
export const PAGE_LIMIT = 100

/** Valid IDs; nothing else can be a cursor. */
const CURSOR = /^[!-~]{1,512}$/

/** Safety limit, larger than any list of topics or attachments. */
const MAX_ITEMS = 10_000

export interface CallOptions {
  readonly priority: Priority
  /** Upload progress; only for calls with files. */
  readonly progress?: OnTransferProgress | undefined
  readonly signal: AbortSignal
}

export interface PageOptions extends CallOptions {
  /** Last ID of the previous page. */
  readonly after?: string | undefined
  /** 1 to 100, by default 100. */
  readonly limit?: number
}

/** Calls with the same key take effect once within a day (platform.md 1.10). */
export interface IdempotentCallOptions extends CallOptions {
  readonly idempotencyKey: string
}

export interface ListPage<Item> {
  readonly items: readonly Item[]
  /** True if there are more pages. If the platform doesn't say, a full page implies more. */
  readonly hasMore: boolean
  /** False if unreadable items were dropped: missing items may still exist. */
  readonly isWhole: boolean
}

/** @throws ProblemError `invalid_input` for a page beyond the platform's limits (platform.md 5.2) */
const rangeOf = (options: PageOptions): { readonly limit: number; readonly after: string | undefined } => {
  const { after, limit = PAGE_LIMIT } = options
  const isWithinLimits = Number.isInteger(limit) && limit >= 1 && limit <= PAGE_LIMIT
  if (!isWithinLimits) throw createProblem('invalid_input', `A page must have 1 to ${PAGE_LIMIT} rows, not ${limit}.`)
  if (after !== undefined && 'before' in options) {
    throw createProblem('invalid_input', 'A page can use “after” or “before”, not both.')
  }
  if (after !== undefined && !CURSOR.test(after)) {
    throw createProblem('invalid_input', 'The “after” cursor must be a row ID.')
  }
  return { limit, after }
}

/** Pages of a list. Stops at a page without new IDs, or after `most` pages with `hasMore` still true. */
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

/** Building blocks of all calls: one request, or a paginated list. All throw what `HttpClient.request` throws. */
export class Requests {
  readonly #client: Pick<HttpClient, 'request'>
  readonly patch = this.#writeBy('PATCH')
  readonly put = this.#writeBy('PUT')
  readonly post = this.#writeBy('POST')

  constructor(client: Pick<HttpClient, 'request'>) {
    this.#client = client
  }

  get(path: string, { priority, signal }: CallOptions, extras: Extras = {}): Promise<unknown> {
    return this.#client.request({ method: 'GET', path, ...extras, priority, signal })
  }

  async postForm(path: string, form: FormData, { priority, signal }: CallOptions): Promise<unknown> {
    const written = new Response(form)
    const bytes = new Uint8Array(await written.arrayBuffer())
    const contentType = written.headers.get('content-type') ?? ''
    return this.#client.request({ method: 'POST', path, form: { bytes, contentType }, priority, signal })
  }

  delete(path: string, { priority, signal }: CallOptions): Promise<unknown> {
    return this.#client.request({ method: 'DELETE', path, priority, signal })
  }

  async page<Item>(
    read: (body: unknown, limit: number) => ListPage<Item>,
    path: string,
    options: PageOptions,
    { query, ...extras }: Extras = {},
  ): Promise<ListPage<Item>> {
    const range = rangeOf(options)
    return read(await this.get(path, options, { query: { ...query, ...range }, ...extras }), range.limit)
  }

  /** Fetches a complete list. Use it only for short ones. @param most number of items after which it stops */
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

  #writeBy(method: 'PATCH' | 'PUT' | 'POST') {
    return (
      path: string,
      body: object,
      { priority, progress, signal, idempotencyKey }: CallOptions & Partial<IdempotentCallOptions>,
      files: readonly OutgoingFile[] = [],
    ): Promise<unknown> =>
      this.#client.request({ method, path, body, files, idempotencyKey, priority, progress, signal })
  }
}
