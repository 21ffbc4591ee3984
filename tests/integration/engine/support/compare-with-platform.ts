import { expect } from 'vitest'
import { FOLDERS, type Folder, type Thread } from '../../../../src/shared/model.ts'
import { SNOOZED_FOLDER } from '../../../../src/shared/thread-marks.ts'
import { createFolderQuery, createMarkQuery, type ThreadQuery } from '../../../../src/shared/thread-query.ts'
import type { TestEngine } from './test-engine.ts'
import type { TestPlatform } from './test-platform.ts'

interface ListedThread {
  readonly id: string
  readonly subject: string | null
  readonly folder: string
  readonly read: boolean
  readonly received_at: string
  readonly email_count: number
  readonly labels: readonly { readonly id: string }[]
}

interface Entry {
  readonly id: string
  readonly subject: string | null
  readonly folder: string
  readonly read: boolean
  readonly receivedAt: number
  readonly emailCount: number
  readonly labels: readonly string[]
}

const byTime = (a: Entry, b: Entry): number => b.receivedAt - a.receivedAt || (a.id < b.id ? -1 : 1)

const listOnPlatform = async (platform: TestPlatform, inboxId: string, folder: string): Promise<readonly Entry[]> => {
  const entries: Entry[] = []
  for (let after = '', hasMore = true; hasMore;) {
    const page = await platform.ask<{ data: ListedThread[]; has_more: boolean }>(
      'GET',
      `/inboxes/${inboxId}/threads?folders=${folder}&limit=100${after}`,
    )
    for (const thread of page.data) {
      entries.push({
        id: thread.id,
        subject: thread.subject,
        folder: thread.folder,
        read: thread.read,
        receivedAt: Date.parse(thread.received_at),
        emailCount: thread.email_count,
        labels: thread.labels.map(({ id }) => id).sort(),
      })
    }
    hasMore = page.has_more
    after = `&after=${page.data.at(-1)?.id ?? ''}`
  }
  return entries.sort(byTime)
}

const listOf = async (engine: TestEngine, query: ThreadQuery): Promise<readonly Thread[]> => {
  const threads: Thread[] = []
  for (let offset = 0, total = 1; offset < total; offset += 200) {
    const page = await engine.call('thread.list', { query, offset, limit: 200 })
    threads.push(...page.items)
    total = page.total
  }
  return threads
}

/** All threads of a folder in the cache, including those that the platform no longer has. */
export const listAllCached = (engine: TestEngine, inboxId: string, folder: Thread['folder']) =>
  listOf(engine, createFolderQuery(inboxId, folder as Folder))

/** All threads of a folder in the cache that the platform still has. */
export const listCached = async (engine: TestEngine, inboxId: string, folder: Thread['folder']) =>
  (await listAllCached(engine, inboxId, folder)).filter(({ onServer }) => onServer)

/** Compares every folder of the cache with the platform's list, except for threads snoozed only locally. */
export const expectCacheEqualsPlatform = async (
  engine: TestEngine,
  platform: TestPlatform,
  inboxId = platform.inboxId,
): Promise<void> => {
  const snoozed = new Set((await listOf(engine, createMarkQuery(inboxId, 'snoozed'))).map(({ id }) => id))
  for (const folder of FOLDERS) {
    const here = (await listCached(engine, inboxId, folder)).filter((thread) => thread.folder !== SNOOZED_FOLDER)
    const cached = here.map(({ id, subject, folder: itsFolder, read, receivedAt, emailCount, labels }): Entry => ({
      id,
      subject,
      folder: itsFolder,
      read,
      receivedAt,
      emailCount,
      labels: labels.map((label) => label.id).sort(),
    }))
    const there = (await listOnPlatform(platform, inboxId, folder)).filter(({ id }) => !snoozed.has(id))
    expect([folder, cached.sort(byTime)]).toEqual([folder, there])
  }
}
