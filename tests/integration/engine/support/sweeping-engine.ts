/**
 * A process that is to be ended while it changes many threads: an engine that moves all of one folder to another, again and
 * again. What it asks for is said on the standard output before, and what the engine has taken after it.
 */
import { writeSync } from 'node:fs'
import { createEngine } from '../../../../src/engine/engine.ts'
import type { ChangeProgress, Page, Thread } from '../../../../src/shared/model.ts'
import type { Result } from '../../../../src/shared/result.ts'
import { folderQuery } from '../../../../src/shared/thread-query.ts'

const [baseUrl = '', apiKey = '', directory = '', inboxId = ''] = process.argv.slice(2)
const say = (word: string, what: unknown): number => writeSync(1, `${word} ${JSON.stringify(what)}\n`)

const engine = createEngine({
  event: (_, { name }) => name === 'changes.progressed' && say('progressed', null),
  keyAccepted: () => undefined,
  log: () => undefined,
})
const opened = await engine.open({ id: 'sweeping', baseUrl, directory, key: { apiKey, isAccepted: true } })
if (!opened.ok) {
  say('failed', opened.error)
  process.exit(1)
}
say('open', null)
const ask = (name: string, input: unknown) => engine.call('sweeping', name, input, 'window')

const totalOf = async (folder: 'inbox' | 'archive'): Promise<number> => {
  const query = folderQuery(inboxId, folder)
  const listed = (await ask('thread.list', { query, offset: 0, limit: 1 })) as Result<Page<Thread>>
  return listed.ok ? listed.data.total : 0
}

/** What a former life has begun is gone on with first: until then the folders are others from moment to moment. */
const isAllIn = async (): Promise<boolean> => {
  const underWay = (await ask('change.underWay', {})) as Result<readonly ChangeProgress[]>
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
