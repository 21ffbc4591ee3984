import type { BodyOwner } from '../../shared/contract.ts'
import type { SenderPolicy } from '../../shared/model.ts'
import type { Contents } from '../contents/contents.ts'
import { problem } from '../saying.ts'
import type { Cache } from '../store/cache.ts'
import type { InboxRef } from '../store/inboxes.ts'
import { atMost } from './at-most.ts'
import { fetchPicture, PUBLIC_INTERNET, type FetchedPicture, type PictureReach } from './fetch-picture.ts'
import type { SenderChoices } from './sender-choices.ts'
import { readPicture } from './read-picture.ts'
import { senderOf } from './sender-of.ts'

/** The pictures that e-mails name and do not carry, for a person who wants to see them. */
export interface Pictures {
  /** @throws ProblemError `not_found` where the e-mail is not on this computer */
  readonly policyOf: (of: BodyOwner) => SenderPolicy
  /**
   * A picture that was fetched before, else from where the e-mail says.
   * @throws ProblemError `refused` in spam and beyond what one e-mail may ask for; what `fetchPicture` throws
   */
  readonly read: (of: BodyOwner, url: string) => Promise<FetchedPicture>
}

/** What one e-mail may ask for in all, and the engine at one time. */
const MOST = { count: 200, bytes: 50 * 1024 * 1024, atOnce: 4 } as const
/** E-mails of which is remembered what they have asked for. */
const REMEMBERED = 500

const keyOf = (url: string): string => `picture ${url}`

interface Standing {
  readonly from: string
  readonly isSpam: boolean
}

const inSpam = () =>
  problem('refused', 'Pictures stay blocked in spam. Move the thread out of spam first where you know its sender.')

/** @param reach where pictures come from: tests have a world of their own */
export const createPictures = (parts: {
  readonly cache: Pick<Cache, 'inboxes' | 'threads' | 'emails' | 'receivedEmails' | 'sentEmails'>
  readonly choices: SenderChoices
  readonly signal: AbortSignal
  readonly contents: Pick<Contents, 'get' | 'put'>
  /** Told of a disk that keeps no pictures: they are shown all the same. */
  readonly report: (thrown: unknown) => void
  readonly reach?: PictureReach
}): Pictures => {
  const { cache, contents, choices, signal, report, reach = PUBLIC_INTERNET } = parts
  const inTurn = atMost(MOST.atOnce)
  const underWay = new Map<string, Promise<FetchedPicture>>()
  /** Bytes of each picture that an e-mail has been given, by its address. */
  const given = new Map<string, Map<string, number>>()

  const refOf = (inboxId: string): InboxRef | undefined => {
    const inbox = cache.inboxes.get(inboxId)
    return inbox === undefined ? undefined : { key: inbox.key, id: inboxId }
  }
  const isInSpam = (of: BodyOwner): boolean => {
    const inbox = of.list === 'threads' ? refOf(of.inboxId) : undefined
    if (of.list !== 'threads' || inbox === undefined) return false
    return cache.threads.standing(inbox, of.threadId)?.folder === 'spam'
  }
  const fromOf = (of: BodyOwner): string | undefined => {
    if (of.list === 'threads') {
      const inbox = refOf(of.inboxId)
      return inbox === undefined ? undefined : cache.emails.senderOf(inbox, of.threadId, of.emailId)
    }
    return (of.list === 'received' ? cache.receivedEmails : cache.sentEmails).get(of.emailId)?.from
  }
  const standingOf = (of: BodyOwner): Standing => {
    const from = fromOf(of)
    if (from === undefined) throw problem('not_found', 'This e-mail is not on this computer any more.')
    return { from, isSpam: isInSpam(of) }
  }

  const tallyOf = (of: BodyOwner): Map<string, number> => {
    const key = JSON.stringify(of)
    const tally = given.get(key) ?? new Map<string, number>()
    // The one that was asked for last is the last to be forgotten.
    given.delete(key)
    given.set(key, tally)
    const [oldest] = given.keys()
    if (given.size > REMEMBERED && oldest !== undefined) given.delete(oldest)
    return tally
  }

  /** What is here is read again as a stranger's bytes: only what is shown today is given out. */
  const readKept = async (url: string): Promise<FetchedPicture | null> => {
    const kept = await contents.get(keyOf(url))
    const facts = kept === null ? null : readPicture(kept.bytes)
    return kept === null || facts === null ? null : { type: facts.type, content: kept.bytes }
  }
  const fetchAndKeep = async (url: string): Promise<FetchedPicture> => {
    const picture = await fetchPicture(url, signal, undefined, reach)
    try {
      await contents.put(keyOf(url), picture.content, { contentType: picture.type, share: 'pictures' })
    } catch (thrown) {
      signal.throwIfAborted()
      report(thrown)
    }
    return picture
  }
  const readOnce = (url: string): Promise<FetchedPicture> => {
    const reading =
      underWay.get(url) ??
      inTurn(async () => (await readKept(url)) ?? (await fetchAndKeep(url))).finally(() => underWay.delete(url))
    underWay.set(url, reading)
    return reading
  }

  return {
    policyOf: (of) => {
      const { from, isSpam } = standingOf(of)
      const sender = senderOf(from)
      if (sender === null) return { sender: null, domain: null, pictures: isSpam ? 'spam' : 'asked', isDark: false }
      return {
        sender: sender.address,
        domain: sender.domain,
        pictures: isSpam ? 'spam' : (choices.of('pictures', sender) ?? 'asked'),
        isDark: choices.of('dark', sender) !== null,
      }
    },
    read: async (of, url) => {
      if (isInSpam(of)) throw inSpam()
      const tally = tallyOf(of)
      const bytes = (): number => [...tally.values()].reduce((sum, size) => sum + size, 0)
      if (!tally.has(url) && (tally.size >= MOST.count || bytes() >= MOST.bytes)) {
        throw problem('refused', 'This e-mail asks for more pictures than Linnet loads for one.')
      }
      // Counted before it is here: what is asked for at the same time counts as well.
      if (!tally.has(url)) tally.set(url, 0)
      const picture = await readOnce(url)
      tally.set(url, picture.content.byteLength)
      return picture
    },
  }
}
