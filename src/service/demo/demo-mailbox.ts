import { accountNotices } from './account-notices.ts'
import { alerts, discardedAlerts, olderAlerts } from './alerts.ts'
import { contactProperties, contacts, topics } from './audience.ts'
import { customerLetters } from './customer-letters.ts'
import { deliveryFailures } from './delivery-failures.ts'
import type { DemoLabel, DemoMailbox } from './demo-mailbox-types.ts'
import { discardedLetters } from './discarded-letters.ts'
import { hostileSpam } from './hostile-spam.ts'
import { lettersInManyLanguages } from './letters-in-many-languages.ts'
import { threadMoments } from './moments.ts'
import { archivedNewsletters, discardedNewsletters, newsletters } from './newsletters.ts'
import { oddShapes } from './odd-shapes.ts'
import { inboxAddress } from './people.ts'
import { seededRandom } from './random.ts'
import { archivedReceipts, receipts } from './receipts.ts'
import { sentLetters } from './sent-letters.ts'
import { settledCases } from './settled-cases.ts'
import { spam } from './spam.ts'
import { supportConversation } from './support-conversation.ts'
import type { FolderDraft, ThreadDraft } from './thread-draft.ts'
import { threadMessages } from './thread-messages.ts'

const labels: readonly DemoLabel[] = [
  { name: 'Bug', color: '#C2410C' },
  { name: 'Billing', color: '#0F766E' },
  { name: 'Feature request', color: '#4F6BD0' },
  { name: 'Urgent', color: '#B3263E' },
  { name: 'Waiting', color: '#A16207' },
  { name: 'Feedback', color: '#7A5195' },
  { name: 'Security', color: '#334155' },
  { name: 'Partners', color: '#4D7C3A' },
]

/** Lays several kinds of mail into one row, each kind spread evenly over it, so that no two of a kind crowd together. */
const interleaved = (...kinds: readonly (readonly ThreadDraft[])[]): readonly ThreadDraft[] =>
  kinds
    .flatMap((kind, order) =>
      kind.map((thread, index) => ({ thread, place: (index + 0.5 + order / 97) / kind.length })),
    )
    .sort((one, other) => one.place - other.place)
    .map(({ thread }) => thread)

/** How many of the settled cases are still in the inbox. */
const casesInInbox = 22
const alertsInInbox = 9

/** The folders with their threads, newest first. */
const folders: readonly FolderDraft[] = [
  {
    folder: 'inbox',
    threads: [
      ...interleaved(
        customerLetters,
        lettersInManyLanguages,
        newsletters,
        alerts,
        receipts,
        oddShapes,
        deliveryFailures,
        [supportConversation],
      ),
      ...interleaved(settledCases.slice(0, casesInInbox), olderAlerts.slice(0, alertsInInbox)),
    ],
    recentMinutes: [4, 17, 38, 71, 96, 124, 178, 236, 301, 377, 460],
  },
  {
    folder: 'archive',
    threads: interleaved(
      settledCases.slice(casesInInbox),
      olderAlerts.slice(alertsInInbox),
      archivedReceipts,
      archivedNewsletters,
      accountNotices,
    ),
    recentMinutes: [52, 340],
  },
  { folder: 'sent', threads: sentLetters, recentMinutes: [24, 83, 190] },
  { folder: 'spam', threads: interleaved(hostileSpam, spam), recentMinutes: [61, 209, 415] },
  {
    folder: 'trash',
    threads: interleaved(discardedLetters, discardedNewsletters, discardedAlerts),
    recentMinutes: [143],
  },
]

/** Messages of the demo. */
export const demoMessages = folders.reduce(
  (sum, { threads }) => threads.reduce((count, { letters }) => count + letters.length, sum),
  0,
)

/**
 * The mailbox of the demo: the support inbox of a small fictional company, as it stands at `now`.
 * About 300 threads in five folders over the 30 days before `now`, 120 contacts, twelve topics, eight labels. The same
 * `now` gives the same bytes. Dates are in UTC.
 * @param onMessage called for each message that is written
 */
export async function demoMailbox(now: Date, onMessage?: () => void): Promise<DemoMailbox> {
  const threads = folders.map(({ folder, threads: drafts, recentMinutes }) => {
    const moments = threadMoments(now, drafts.length, recentMinutes, seededRandom(folder))
    return drafts.map(async (draft, index) => {
      const thread = await threadMessages(draft, { folder, last: moments[index] ?? now, now })
      for (const _ of thread.messages) onMessage?.()
      return thread
    })
  })
  return {
    inbox: { emailAddress: inboxAddress, name: 'Larkspur Support', fromName: 'Larkspur Support' },
    labels,
    threads: await Promise.all(threads.flat()),
    topics,
    contactProperties,
    contacts: contacts(now),
  }
}
