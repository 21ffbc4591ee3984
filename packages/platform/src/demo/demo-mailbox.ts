import type { DemoContact, DemoMailbox } from './demo-mailbox-types.ts'
import { mailboxIndex } from './mailbox-index.ts'
import { generateThreadDates } from './mail-dates.ts'
import { Random } from '../random.ts'
import { parseThreadDrafts } from './parse-letters.ts'
import { readText } from './resources.ts'
import type { ThreadDraft } from './thread-draft.ts'
import { buildDemoThread } from './thread-messages.ts'
import { type Customer, customers } from './people.ts'

/** Merges several kinds of mail into one list, spreading each kind evenly. */
const interleave = (kinds: readonly (readonly ThreadDraft[])[]): readonly ThreadDraft[] =>
  kinds
    .flatMap((kind, order) =>
      kind.map((thread, index) => ({ thread, place: (index + 0.5 + order / 97) / kind.length })),
    )
    .sort((one, other) => one.place - other.place)
    .map(({ thread }) => thread)

const folders = mailboxIndex.folders.map(({ folder, groups, recentMinutes }) => ({
  folder,
  recentMinutes,
  threads: groups.flatMap((files) =>
    interleave(files.map((file) => parseThreadDrafts(readText(`${folder}/${file}.txt`)))),
  ),
}))

export const demoMessageCount = folders.reduce(
  (sum, { threads }) => threads.reduce((count, { letters }) => count + letters.length, sum),
  0,
)

const familyNameFirst = /^(?:[\p{Script=Han}\p{Script=Hangul}]|Nguyễn )/u

/** First and last name as entered in a form. A name that can't be split becomes the first name. */
const namesOf = ({ name }: Customer): Pick<DemoContact, 'firstName' | 'lastName'> => {
  if (name === null) return { firstName: null, lastName: null }
  const words = name.split(' ')
  if (words.length === 1 && /^\p{Script=Hangul}{3}$/u.test(name))
    return { firstName: name.slice(1), lastName: name.slice(0, 1) }
  if (words.length === 1 && /^\p{Script=Han}{2}$/u.test(name))
    return { firstName: name.slice(1), lastName: name.slice(0, 1) }
  if (name.includes(',')) return { firstName: name, lastName: null }
  const [first, ...rest] = words
  const last = rest.join(' ')
  if (last === '') return { firstName: name, lastName: null }
  return familyNameFirst.test(name)
    ? { firstName: last, lastName: first ?? null }
    : { firstName: first ?? null, lastName: last }
}

const day = 86_400_000

/** The account's contacts, created over the three years before `now`, each with a few topic choices. */
function contacts(now: Date): readonly DemoContact[] {
  return customers.map((customer) => {
    const random = new Random(customer.email)
    const unsubscribed = random.chance(0.08)
    const choices = mailboxIndex.topics.flatMap(({ name, defaultSubscription }): [string, 'opt_in' | 'opt_out'][] =>
      random.chance(0.2) ? [[name, defaultSubscription === 'opt_in' ? 'opt_out' : 'opt_in']] : [],
    )
    return {
      email: customer.email,
      ...namesOf(customer),
      unsubscribed,
      createdAt: new Date(now.getTime() - Math.floor((1 + random.next() * 1100) * day)),
      properties: { company: customer.company, plan: customer.plan, seats: customer.seats },
      topics: Object.fromEntries(choices),
    }
  })
}

/**
 * The support inbox of a small fictional company: about 300 threads in five folders over the 30 days before `now`, 120
 * contacts, twelve topics, eight labels, two templates. The same `now` gives the same bytes; dates are in UTC. @param
 * onMessage called for each message written
 */
export async function buildDemoMailbox(now: Date, onMessage?: () => void): Promise<DemoMailbox> {
  const threads = folders.map(({ folder, threads: drafts, recentMinutes }) => {
    const moments = generateThreadDates(now, drafts.length, recentMinutes, new Random(folder))
    return drafts.map(async (draft, index) => {
      const thread = await buildDemoThread(draft, { folder, last: moments[index] ?? now, now })
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
