import { contentIdIn, nameWithin } from '../../shared/carried-picture.ts'
import type { BodyOwner } from '../../shared/contract.ts'
import type { SenderPolicy } from '../../shared/sender-choices.ts'
import { ProblemError } from '../../shared/result.ts'
import type { Contents } from '../contents/contents.ts'
import { problem } from '../saying.ts'
import { isForged, type Authentications } from '../senders/authentications.ts'
import type { Cache } from '../store/cache.ts'
import type { InboxRef } from '../store/inboxes.ts'
import { atMost } from '../timing/at-most.ts'
import type { CarriedPictures } from './carried-pictures.ts'
import { fetchPicture, PUBLIC_INTERNET, type FetchedPicture, type PictureReach } from './fetch-picture.ts'
import { namedAddresses } from './named-addresses.ts'
import { readPicture } from '../contents/read-picture.ts'
import type { SenderChoices } from './sender-choices.ts'
import { createRecent } from '../timing/recent.ts'
import { senderOf, type Sender } from './sender-of.ts'
import { sleep, systemClock, type Clock } from '../timing/clock.ts'

/** The pictures that e-mails name: those that they carry, and those that are elsewhere, for a person who wants to see them. */
export interface Pictures {
  /**
   * Asks the platform whether the e-mail is the sender's, where a choice would hold and that is not known.
   * @throws ProblemError `not_found` where the e-mail is not on this computer
   */
  readonly policyOf: (of: BodyOwner) => Promise<SenderPolicy>
  /**
   * A picture that was fetched before, else from where the e-mail says: out of the e-mail itself, or from the Internet.
   * @param isAgain also where it was refused before, or its server did not have it: a person wants it
   * @throws ProblemError `refused` for what is elsewhere in spam, for what the e-mail does not name and beyond what one e-mail
   * may ask for; what `fetchPicture` and `CarriedPictures.read` throw
   */
  readonly read: (of: BodyOwner, url: string, isAgain: boolean) => Promise<FetchedPicture>
  /** Of the addresses of the web that an e-mail names those at which its own parts say to be: they are never fetched from there. */
  readonly located: (of: BodyOwner) => Promise<readonly string[]>
}

/** What one e-mail may ask for in all, and the engine at one time. */
const MOST = { count: 200, bytes: 50 * 1024 * 1024, atOnce: 4 } as const
/** E-mails of which is remembered what they have asked for, and what they name. */
const REMEMBERED = { asked: 500, named: 8 } as const

/** For an answer whether an e-mail is its sender's, milliseconds. */
const PATIENCE_MS = 3_000

const keyOf = (url: string): string => `picture ${url}`

/** What has become of a picture that an e-mail asked for: its bytes as far as they are here, or why it is not. */
type Asked = { readonly bytes: number } | { readonly problem: ProblemError }

/** What came to nothing and would again: whether a server can be reached is another matter in a minute. */
const isLasting = (thrown: unknown, isElsewhere: boolean): thrown is ProblemError =>
  thrown instanceof ProblemError &&
  ['refused', 'not_found', ...(isElsewhere ? ['platform_failed'] : [])].includes(thrown.problem.code)

const tooMany = () => problem('refused', 'This message has more pictures than Linnet loads at once.')
const notNamed = () => problem('refused', 'This message has no such picture.')
const notNow = () => problem('refused', 'Linnet is in safe mode and shows no pictures.')
const inSpam = () =>
  problem('refused', 'Pictures stay blocked in spam. If you know the sender, move the thread out of spam first.')

/** @param reach where pictures come from: tests have a world of their own */
export const createPictures = (parts: {
  readonly cache: Pick<Cache, 'inboxes' | 'threads' | 'emails' | 'receivedEmails' | 'sentEmails'>
  readonly choices: SenderChoices
  readonly authentications: Authentications
  readonly carried: CarriedPictures
  /** What stands within an e-mail beside its own HTML, such as what was signed; null for nothing. */
  readonly htmlWithin?: (of: BodyOwner) => string | null
  readonly signal: AbortSignal
  readonly contents: Pick<Contents, 'get' | 'put'>
  /** Told of a disk that keeps no pictures: they are shown all the same. */
  readonly report: (thrown: unknown) => void
  readonly reach?: PictureReach
  /** Whether none is shown in this run. */
  readonly isSafe?: boolean
  readonly clock?: Clock
}): Pictures => {
  const {
    cache,
    contents,
    choices,
    authentications,
    carried,
    htmlWithin = () => null,
    signal,
    report,
    reach = PUBLIC_INTERNET,
    isSafe = false,
    clock = systemClock,
  } = parts
  const inTurn = atMost(MOST.atOnce)
  const underWay = new Map<string, Promise<FetchedPicture>>()
  /** What each e-mail has asked for, by addresses. */
  const askedBy = createRecent<Map<string, Asked>>(REMEMBERED.asked)
  /** Which of them are in the e-mail: asked with each of its pictures. */
  const locatedAmong = new WeakMap<ReadonlySet<string>, readonly string[]>()
  const namedBy = createRecent<Promise<ReadonlySet<string>>>(REMEMBERED.named)

  const refOf = (inboxId: string): InboxRef | undefined => {
    const inbox = cache.inboxes.get(inboxId)
    return inbox === undefined ? undefined : { key: inbox.key, id: inboxId }
  }
  /** A received e-mail belongs to no folder: where the same message lies in a thread, that is in one. */
  const isInSpam = (of: BodyOwner): boolean => {
    if (of.list === 'sent') return false
    if (of.list === 'threads') {
      const inbox = refOf(of.inboxId)
      return inbox !== undefined && cache.threads.standing(inbox, of.threadId)?.folder === 'spam'
    }
    const message = cache.receivedEmails.get(of.emailId)
    return (
      message !== undefined &&
      cache.inboxes.all().some(({ inbox: { id }, key }) => cache.emails.isIn({ id, key }, 'spam', message))
    )
  }
  const fromOf = (of: BodyOwner): string | undefined => {
    if (of.list === 'threads') {
      const inbox = refOf(of.inboxId)
      return inbox === undefined ? undefined : cache.emails.senderOf(inbox, of.threadId, of.emailId)
    }
    return (of.list === 'received' ? cache.receivedEmails : cache.sentEmails).get(of.emailId)?.from
  }
  const htmlOf = (of: BodyOwner): string | null => {
    if (of.list === 'threads') {
      const inbox = refOf(of.inboxId)
      return inbox === undefined ? null : cache.emails.htmlOf(inbox, of.threadId, of.emailId)
    }
    return (of.list === 'received' ? cache.receivedEmails : cache.sentEmails).get(of.emailId)?.html ?? null
  }

  const listNamed = (of: BodyOwner): Promise<ReadonlySet<string>> =>
    namedBy.put(JSON.stringify(of), namedAddresses(`${htmlOf(of) ?? ''}${htmlWithin(of) ?? ''}`))
  /** Whatever a window says: what its sender has not written cannot carry anything to somebody. */
  const isNamed = async (of: BodyOwner, url: string): Promise<boolean> => {
    const before = namedBy.get(JSON.stringify(of))
    if (before !== undefined && (await before).has(url)) return true
    // It may have come, or have been read anew, since.
    return (await listNamed(of)).has(url)
  }
  const located = async (of: BodyOwner): Promise<readonly string[]> => {
    const named = await (namedBy.get(JSON.stringify(of)) ?? listNamed(of))
    const known = locatedAmong.get(named)
    if (known !== undefined) return known
    const found = await carried.located(of, named)
    locatedAmong.set(named, found)
    return found
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

  /** By a choice for the sender, as far as the e-mail is theirs. */
  const choiceFor = async (of: BodyOwner, sender: Sender): Promise<SenderPolicy['pictures']> => {
    const choice = choices.of('pictures', sender)
    const known = authentications.known(of)
    if (choice === null || known !== null) return isForged(known) ? 'forged' : (choice ?? 'asked')
    // A platform that does not answer holds nobody up: a person is asked as long as nothing is known.
    const late = sleep(clock, PATIENCE_MS, signal, { unref: true })
    const found = await Promise.race([authentications.read(of), late])
    if (found === undefined) return 'asked'
    return isForged(found) ? 'forged' : choice
  }

  return {
    located,
    policyOf: async (of) => {
      const from = fromOf(of)
      if (from === undefined) throw problem('not_found', 'This message is no longer on this computer.')
      const sender = senderOf(from)
      const chosen = sender === null || isSafe || isInSpam(of) ? 'asked' : await choiceFor(of, sender)
      return {
        sender: sender?.address ?? null,
        domain: sender?.domain ?? null,
        // It may have gone there while the platform was asked.
        pictures: isInSpam(of) ? 'spam' : chosen,
        isDark: sender !== null && choices.of('dark', sender) !== null,
      }
    },
    read: async (of, url, isAgain) => {
      if (isSafe) throw notNow()
      const isWithin =
        contentIdIn(url) !== null ||
        nameWithin(url) !== null ||
        // Where its original cannot be looked into, a picture that would be fetched is asked for by a person.
        (await located(of).catch((): readonly string[] => [])).includes(url)
      // Nobody learns anything from what the e-mail itself carries.
      const isBlocked = (): boolean => !isWithin && isInSpam(of)
      if (isBlocked()) throw inSpam()
      const key = JSON.stringify(of)
      const asked = askedBy.put(key, askedBy.get(key) ?? new Map<string, Asked>())
      const before = asked.get(url)
      if (before !== undefined && 'problem' in before && !isAgain) throw before.problem
      const bytes = (): number => [...asked.values()].reduce((sum, each) => sum + ('bytes' in each ? each.bytes : 0), 0)
      if (before === undefined && (asked.size >= MOST.count || bytes() >= MOST.bytes)) throw tooMany()
      // Counted before it is here: what is asked for at the same time counts as well.
      if (before === undefined) asked.set(url, { bytes: 0 })
      try {
        if (!isWithin && !(await isNamed(of, url))) throw notNamed()
        const picture = await (isWithin ? inTurn(() => carried.read(of, url)) : readOnce(url))
        const others = bytes() - (before !== undefined && 'bytes' in before ? before.bytes : 0)
        if (others + picture.content.byteLength > MOST.bytes) throw tooMany()
        asked.set(url, { bytes: picture.content.byteLength })
        // It may have gone there meanwhile; it may come back, so that this is not remembered.
        if (!isBlocked()) return picture
      } catch (thrown) {
        if (isLasting(thrown, !isWithin)) asked.set(url, { problem: thrown })
        throw thrown
      }
      throw inSpam()
    },
  }
}
