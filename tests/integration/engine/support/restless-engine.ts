/**
 * A process that is to be ended: an engine that syncs, and a person who changes one thread after the other and calls a
 * saved search by one name after the other. Every change is said on the standard output before it is asked for and after
 * the engine has taken it, and so is every name.
 */
import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { createEngine } from '../../../../src/engine/engine.ts'
import type { ChangeReceipt } from '../../../../src/shared/contract.ts'
import type { Page, Thread } from '../../../../src/shared/model.ts'
import type { Result } from '../../../../src/shared/result.ts'
import { folderQuery } from '../../../../src/shared/thread-query.ts'

const [baseUrl = '', apiKey = '', directory = '', inboxId = ''] = process.argv.slice(2)
const say = (word: string, what: unknown): number => writeSync(1, `${word} ${JSON.stringify(what)}\n`)

const engine = createEngine({ event: () => undefined, keyAccepted: () => undefined, log: () => undefined })
const opened = await engine.open({ id: 'restless', baseUrl, directory, key: { apiKey, isAccepted: true } })
if (!opened.ok) {
  say('failed', opened.error)
  process.exit(1)
}
say('open', null)
const ask = (name: string, input: unknown) => engine.call('restless', name, input, 'window')

const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(Math.random() * items.length)]

for (;;) {
  const folder = pick(['inbox', 'archive', 'trash'] as const) ?? 'inbox'
  const listed = (await ask('thread.list', {
    query: folderQuery(inboxId, folder),
    offset: 0,
    limit: 10,
  })) as Result<Page<Thread>>
  const thread = listed.ok ? pick(listed.data.items) : undefined
  if (thread !== undefined) {
    const other = pick((['inbox', 'archive', 'trash'] as const).filter((name) => name !== thread.folder))
    const change = pick([{ read: !thread.read }, { folder: other }, { read: !thread.read, folder: other }])
    say('ask', { threadId: thread.id, change })
    const answer = await ask('thread.change', { inboxId, threadIds: [thread.id], change })
    say(answer.ok ? 'taken' : 'failed', answer.ok ? { threadId: thread.id, change } : answer.error)
    if (answer.ok && change !== undefined && Math.random() < 0.5) {
      const { changeId } = (answer as { readonly data: ChangeReceipt }).data
      const back = {
        threadId: thread.id,
        change: {
          ...('read' in change && { read: thread.read }),
          ...('folder' in change && { folder: thread.folder }),
        },
      }
      say('ask', back)
      const undone = (await ask('change.undo', { changeId })) as Result<{
        readonly undone: boolean
      }>
      if (!undone.ok) say('failed', undone.error)
      // The platform files what comes back to the inbox as it sees fit: then there is nothing to undo.
      else if (undone.data.undone) say('taken', back)
    }
  }
  if (thread !== undefined && Math.random() < 0.3) {
    const name = randomUUID()
    say('name', { name })
    const answer = await ask('savedSearch.save', { inboxId, name, text: 'is:unread' })
    say(answer.ok ? 'named' : 'failed', answer.ok ? { name } : answer.error)
  }
  await new Promise((resolve) => setTimeout(resolve, 3))
}
