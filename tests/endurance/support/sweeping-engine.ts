/**
 * A process that is to be ended while it changes many threads: an engine that moves all of one folder to another, again and
 * again. What it asks for is said on the standard output before, and what the engine has taken after it.
 */
import { folderQuery } from '../../../src/shared/thread-query.ts'
import { lifeArguments, openLife, say } from './life.ts'

const [inboxId = ''] = lifeArguments
const { ask } = await openLife(({ name }) => {
  if (name === 'changes.progressed') say('progressed', null)
})

const totalOf = async (folder: 'inbox' | 'archive'): Promise<number> => {
  const query = folderQuery(inboxId, folder)
  const listed = await ask('thread.list', { query, offset: 0, limit: 1 })
  return listed.ok ? listed.data.total : 0
}

/** What a former life has begun is gone on with first: until then the folders are others from moment to moment. */
const isAllIn = async (): Promise<boolean> => {
  const underWay = await ask('change.underWay', {})
  return underWay.ok && underWay.data.every(({ taken, total }) => taken === total)
}
while (!(await isAllIn())) await new Promise((resolve) => setTimeout(resolve, 3))

for (;;) {
  const [from, to] =
    (await totalOf('inbox')) > (await totalOf('archive'))
      ? (['inbox', 'archive'] as const)
      : (['archive', 'inbox'] as const)
  say('ask', { from, to })
  const matching = { query: folderQuery(inboxId, from), upTo: Date.now() + 1e12, except: [] }
  const answer = await ask('thread.change', { inboxId, matching, change: { folder: to } })
  say(answer.ok ? 'taken' : 'failed', answer.ok ? { from, to } : answer.error)
  await new Promise((resolve) => setTimeout(resolve, 3))
}
