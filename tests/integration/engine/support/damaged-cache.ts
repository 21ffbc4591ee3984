import type { Thread } from '../../../../src/shared/model.ts'
import { listInCache } from './compare-with-platform.ts'
import { eventually } from './eventually.ts'
import type { TestEngine } from './test-engine.ts'

/** A file that is set aside is read for what can be kept of it before anything is fetched, which a busy machine takes long for. */
export const PATIENCE_MS = 300_000

export const fetched = (engine: TestEngine) =>
  eventually(
    engine.status,
    ({ progress, lastSyncAt, connection }) => progress === null && lastSyncAt !== null && connection === 'online',
    PATIENCE_MS,
  )

/** The subjects and texts of every e-mail in the cache. */
export const conversations = async (engine: TestEngine, inboxId: string) => {
  const threads: Thread[] = []
  for (const folder of ['inbox', 'archive', 'sent', 'spam', 'trash'] as const) {
    threads.push(...(await listInCache(engine, inboxId, folder)))
  }
  const opened = []
  for (const { id } of threads.sort((a, b) => (a.id < b.id ? -1 : 1))) {
    // A thread whose only e-mail was hit, and which the platform has no more, has nothing to show.
    const { emails } = await engine.call('thread.open', { inboxId, threadId: id }).catch((thrown: unknown) => {
      if (!String(thrown).includes('Linnet has no copy')) throw thrown
      return { emails: [] }
    })
    opened.push({ id, emails: emails.map(({ subject, text, html, from }) => ({ subject, text, html, from })) })
  }
  return opened
}
