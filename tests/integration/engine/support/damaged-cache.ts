import type { Thread } from '../../../../src/shared/model.ts'
import { listCached } from './compare-with-platform.ts'
import { eventually } from './eventually.ts'
import type { TestEngine } from './test-engine.ts'

/** A damaged file is salvaged before anything is fetched, which is slow on a busy machine. */
export const PATIENCE_MS = 300_000

export const fetched = (engine: TestEngine) =>
  eventually(
    engine.status,
    ({ progress, lastSyncAt, connection }) => progress === null && lastSyncAt !== null && connection === 'online',
    PATIENCE_MS,
  )

export const conversations = async (engine: TestEngine, inboxId: string) => {
  const threads: Thread[] = []
  for (const folder of ['inbox', 'archive', 'sent', 'spam', 'trash'] as const) {
    threads.push(...(await listCached(engine, inboxId, folder)))
  }
  const opened = []
  for (const { id } of threads.sort((a, b) => (a.id < b.id ? -1 : 1))) {
    // A thread is empty if its only e-mail was damaged and the platform no longer has it.
    const { emails } = await engine.call('thread.open', { inboxId, threadId: id }).catch((thrown: unknown) => {
      if (!String(thrown).includes('Linnet has no copy')) throw thrown
      return { emails: [] }
    })
    opened.push({ id, emails: emails.map(({ subject, text, html, from }) => ({ subject, text, html, from })) })
  }
  return opened
}
