import { contacts } from './audience.ts'
import type { DemoMailbox } from './demo-mailbox-types.ts'
import { mailboxIndex } from './mailbox-index.ts'
import { threadMoments } from './moments.ts'
import { Random } from '../random.ts'
import { threadDrafts } from './read-letters.ts'
import { readText } from './resources.ts'
import type { ThreadDraft } from './thread-draft.ts'
import { threadMessages } from './thread-messages.ts'

/** Lays several kinds of mail into one row, each kind spread evenly over it, so that no two of a kind crowd together. */
const interleaved = (kinds: readonly (readonly ThreadDraft[])[]): readonly ThreadDraft[] =>
  kinds
    .flatMap((kind, order) =>
      kind.map((thread, index) => ({ thread, place: (index + 0.5 + order / 97) / kind.length })),
    )
    .sort((one, other) => one.place - other.place)
    .map(({ thread }) => thread)

/** The folders with their threads, newest first. */
const folders = mailboxIndex.folders.map(({ folder, groups, recentMinutes }) => ({
  folder,
  recentMinutes,
  threads: groups.flatMap((files) => interleaved(files.map((file) => threadDrafts(readText(`${folder}/${file}.txt`))))),
}))

/** Messages of the demo. */
export const demoMessages = folders.reduce(
  (sum, { threads }) => threads.reduce((count, { letters }) => count + letters.length, sum),
  0,
)

/**
 * The mailbox of the demo: the support inbox of a small fictional company, as it stands at `now`.
 * About 300 threads in five folders over the 30 days before `now`, 120 contacts, twelve topics, eight labels, two templates. The same
 * `now` gives the same bytes. Dates are in UTC.
 * @param onMessage called for each message that is written
 */
export async function demoMailbox(now: Date, onMessage?: () => void): Promise<DemoMailbox> {
  const threads = folders.map(({ folder, threads: drafts, recentMinutes }) => {
    const moments = threadMoments(now, drafts.length, recentMinutes, new Random(folder))
    return drafts.map(async (draft, index) => {
      const thread = await threadMessages(draft, { folder, last: moments[index] ?? now, now })
      for (const _ of thread.messages) onMessage?.()
      return thread
    })
  })
  const { inbox, labels, topics, contactProperties, templates } = mailboxIndex
  return {
    inbox,
    labels,
    threads: await Promise.all(threads.flat()),
    topics,
    contactProperties,
    contacts: contacts(now),
    templates: templates.map((template) => ({ ...template, html: readText(`html/${template.html}`).trimEnd() })),
  }
}
