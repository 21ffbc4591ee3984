/**
 * Process to be killed during bulk changes: an engine that moves an entire folder back and forth. Each request is
 * printed before it is made and after the engine has accepted it.
 */
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import { lifeArguments, openKillableEngine, print } from './killable-engine.ts'

const [inboxId = ''] = lifeArguments
const { ask } = await openKillableEngine(({ name }) => {
  if (name === 'changes.progressed') print('progressed', null)
})

const totalOf = async (folder: 'inbox' | 'archive'): Promise<number> => {
  const query = createFolderQuery(inboxId, folder)
  const listed = await ask('thread.list', { query, offset: 0, limit: 1 })
  return listed.ok ? listed.data.total : 0
}

for (;;) {
  const [from, to] =
    (await totalOf('inbox')) > (await totalOf('archive'))
      ? (['inbox', 'archive'] as const)
      : (['archive', 'inbox'] as const)
  print('ask', { from, to })
  const matching = { query: createFolderQuery(inboxId, from), upTo: Date.now() + 1e12, except: [] }
  const answer = await ask('thread.change', { inboxId, matching, change: { folder: to } })
  print(answer.ok ? 'taken' : 'failed', answer.ok ? { from, to } : answer.error)
  await new Promise((resolve) => setTimeout(resolve, 3))
}
