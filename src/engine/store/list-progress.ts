import { z } from 'zod'
import type { AccountMetaStore } from './account-meta.ts'

const schema = z.object({
  /** Last ID of the last page; null at the top. */
  cursor: z.string().nullable(),
  /** Time of the cursor's row as listed by the platform; null at the top. */
  cursorTime: z.number().nullable(),
  /** IDs with time `cursorTime` that the crawl has already found. The next page may have more rows with that time. */
  cursorTies: z.array(z.string()).readonly(),
  /** Number of times that the end was reached. */
  rounds: z.number(),
})

/** Crawl progress of a platform list, so that an interrupted crawl can resume. */
export type ListProgress = Readonly<z.infer<typeof schema>>

export const NO_LIST_PROGRESS: ListProgress = { cursor: null, cursorTime: null, cursorTies: [], rounds: 0 }

const nameOf = (list: string): string => `progress ${list}`

export const createListProgressStore = (accountMeta: Pick<AccountMetaStore, 'get' | 'set'>) => ({
  get: (list: string): ListProgress => {
    try {
      return schema.parse(JSON.parse(accountMeta.get(nameOf(list)) ?? ''))
    } catch {
      // If missing or damaged, crawl from the top.
      return NO_LIST_PROGRESS
    }
  },
  set: (list: string, progress: ListProgress): void => accountMeta.set(nameOf(list), JSON.stringify(progress)),
})
