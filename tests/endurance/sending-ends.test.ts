import { describe, expect, it } from 'vitest'
import type { FaultRule } from '../../packages/platform/src/http/fault-rule.ts'
import { createFolderQuery } from '../../src/shared/thread-query.ts'
import type { DraftTarget } from '../../src/shared/drafts.ts'
import { Random } from '../support/random.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { eventually } from '../integration/engine/support/eventually.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from '../integration/engine/support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from '../integration/engine/support/test-platform.ts'
import { counts, SEED } from './support/endurance.ts'
import { hasTaken, runAndKill, type OutputLine } from './support/run-and-kill.ts'

const ENDS = counts(6, { least: 2, long: 100 })
const OFTEN = 6
/** A run is killed after fewer than `MAX_TAKEN` confirmed actions, plus at most `LONGEST_MOMENT` milliseconds. */
const MAX_TAKEN = 14
const LONGEST_MOMENT = 400

interface What {
  readonly kind: 'write' | 'discard' | 'send' | 'cancel'
  readonly token: string
  readonly text?: string
}
type Line = OutputLine<'open' | 'ask' | 'taken' | 'declined' | 'unanswered' | 'failed', What>

const randomFaults = (random: Random): readonly FaultRule[] =>
  (['POST', 'PATCH'] as const).flatMap((method) =>
    (['lost', 'error_500', 'rate_limited'] as const).flatMap((kind) =>
      random.chance(0.5)
        ? [
            {
              kind,
              method,
              path: '/',
              times: 1 + random.below(3),
              skip: random.below(5),
              ...(kind === 'rate_limited' && { retry_after: 1 }),
            },
          ]
        : [],
    ),
  )

/** Permitted outcomes for a message, derived from the run's output. */
const allowed = (said: readonly Line[], token: string) => {
  const own = said.filter(({ what }) => what.token === token)
  let texts: readonly (string | undefined)[] = []
  let sent = { least: 0, most: 0 }
  /** Total number of messages with this token, sent and unsent. May be zero if the first or last action was cut off. */
  let inAll = { least: 0, most: 1 }
  for (const { word, what } of own) {
    if (what.kind === 'write') {
      if (word === 'taken') {
        texts = [what.text]
        inAll = { least: 1, most: 1 }
      }
      // A cut-off write may or may not have been stored.
      else if (word === 'ask') texts = [...texts, what.text]
    } else if (what.kind === 'discard') {
      inAll = word === 'taken' ? { least: 0, most: 0 } : { ...inAll, least: 0 }
    } else if (what.kind === 'send') {
      if (word === 'taken') sent = { least: 1, most: 1 }
      else if (word === 'ask') sent = { ...sent, most: 1 }
      else if (word === 'declined') sent = { least: 0, most: 0 }
    } else if (word === 'taken') sent = { least: 0, most: 0 }
    else if (word === 'ask') sent = { ...sent, least: 0 }
    else if (word === 'declined') sent = { least: 1, most: 1 }
  }
  return { texts, sent, inAll }
}

/** Targets that the user of `restless-sender.ts` replies to: the first e-mails of the top threads. */
const answeredEmails = async (engine: TestEngine, inboxId: string): Promise<readonly DraftTarget[]> => {
  const query = createFolderQuery(inboxId, 'inbox')
  const { items } = await engine.call('thread.list', { query, offset: 0, limit: 3 })
  return Promise.all(
    items.map(async ({ id: threadId }) => {
      const { emails } = await engine.call('thread.open', { inboxId, threadId })
      return { threadId, emailId: emails[0]?.id ?? '' }
    }),
  )
}

interface DraftThere {
  readonly id: string
  readonly subject: string | null
  readonly text: string | null
  readonly email_id: string | null
}
const COLLEAGUE = 'Of a colleague.'
/**
 * Starts a reply as a colleague, unless there is one already. @returns the platform's draft of the reply, if started
 */
const answerAsColleague = async (
  { ask, inboxId }: TestPlatform,
  { threadId, emailId }: DraftTarget,
): Promise<string | null> => {
  const path = `/inboxes/${inboxId}/drafts`
  const body = { thread_id: threadId, reply_to_email_id: emailId, subject: COLLEAGUE, text: COLLEAGUE }
  const { id } = await ask<{ id: string }>('POST', path, body)
  const { text } = await ask<DraftThere>('GET', `${path}/${id}`)
  return text === COLLEAGUE ? id : null
}

describe('an engine killed at a random moment while a user writes and sends', () => {
  it(
    'sends each confirmed message once and keeps every draft as last saved',
    async () => {
      const platform = await startTestPlatform({}, { generate: { threads: 40, seed: 5 } })
      const directory = temporaryDirectory()
      const first = await openSettledEngine(platform, directory)
      const answered = await answeredEmails(first, platform.inboxId)
      await first.close()

      const random = new Random(SEED)
      const said: Line[] = []
      const ofColleagues = new Set<string>()
      const emailsOfColleagues = new Set<string>()
      for (let end = 0; end < ENDS; end += 1) {
        await platform.fault()
        // A colleague replies to any e-mail but the last: first before anyone else does, and later sometimes in
        // addition to a local reply.
        const chosen = answered[end === 0 ? 0 : random.below(answered.length - 1)]
        const theirs = chosen !== undefined && end % 5 === 0 ? await answerAsColleague(platform, chosen) : null
        if (chosen !== undefined && theirs !== null) {
          ofColleagues.add(theirs)
          emailsOfColleagues.add(chosen.emailId)
        }
        await platform.fault(...randomFaults(random))
        const args = [SEED + end, platform.baseUrl, platform.apiKey, directory, platform.inboxId]
        // The last run has the highest limit, so even a short test gets some work done.
        const enough = hasTaken(end === ENDS - 1 ? MAX_TAKEN : 1 + random.below(MAX_TAKEN))
        const moment = random.next() * LONGEST_MOMENT
        said.push(...(await runAndKill<Line['word'], What>('restless-sender', args, enough, moment)))
      }
      expect(said.filter(({ word }) => word === 'failed')).toEqual([])
      await platform.fault()

      const engine = await openTestEngine(platform, directory)
      const drafts = await eventually(
        () => engine.call('draft.list', {}),
        // An unanswered cancellation turns out to have succeeded. A draft that competes with a colleague's reply is
        // left for the user to resolve.
        (all) =>
          all.every(
            ({ state, isSynced, hasConflict, target, isOurs, subject }) =>
              (isOurs || subject === COLLEAGUE) &&
              ['open', 'refused'].includes(state.kind) &&
              (isSynced || (hasConflict && emailsOfColleagues.has(target?.emailId ?? ''))),
          ),
        90_000,
        (all) => JSON.stringify(all.filter(({ isSynced, isOurs }) => !isSynced || !isOurs)),
      )
      expect(drafts.filter(({ state }) => state.kind === 'refused')).toEqual([])
      await engine.settled()

      interface Row {
        readonly id: string
        readonly subject: string | null
        readonly last_event: string
      }
      const rowsOf = async (path: string): Promise<readonly Row[]> => {
        const all: Row[] = []
        for (let after = ''; ;) {
          const page = await platform.ask<{ data: readonly Row[]; has_more: boolean }>(
            'GET',
            `${path}?limit=100${after}`,
          )
          all.push(...page.data)
          const last = page.data.at(-1)
          if (!page.has_more || last === undefined) return all
          after = `&after=${last.id}`
        }
      }
      const sent = (await rowsOf('/emails')).filter((row) => row.last_event !== 'canceled')
      const draftsThere = `/inboxes/${platform.inboxId}/drafts`
      const there = await rowsOf(draftsThere)
      const oneThere = (id: string): Promise<DraftThere> => platform.ask<DraftThere>('GET', `${draftsThere}/${id}`)
      for (const id of ofColleagues) expect(await oneThere(id)).toMatchObject({ text: COLLEAGUE, email_id: null })
      const tokens = [...new Set(said.filter(({ word }) => word !== 'open').map(({ what }) => what.token))]
      let sentInAll = 0
      for (const token of tokens) {
        const may = allowed(said, token)
        const isOf = ({ subject }: { readonly subject: string | null }): boolean => subject?.includes(token) === true
        const copies = sent.filter(isOf)
        const here = drafts.filter(isOf)
        sentInAll += copies.length
        const counts = `${copies.length} sent, ${here.length} here, ${there.filter(isOf).length} there`
        const course = said
          .filter(({ what }) => what.token === token)
          .map(({ word, what }) => `${word} ${what.kind}`)
          .join(', ')
        const seen = `${token}: ${counts}, after ${course}; ${JSON.stringify(here)}`
        expect(copies.length >= may.sent.least && copies.length <= may.sent.most, seen).toBe(true)
        // A message is a draft or was sent, never both.
        const all = here.length + copies.length
        expect(all >= may.inAll.least && all <= may.inAll.most, seen).toBe(true)
        const expected = here.filter(({ hasConflict }) => !hasConflict).length
        expect(there.filter(isOf).length, seen).toBe(expected)
        for (const { id } of copies) {
          const { text } = await platform.ask<{ text: string | null }>('GET', `/emails/${id}`)
          expect(may.texts.some((words) => words !== undefined && text?.includes(words) === true)).toBe(true)
        }
        for (const { id } of here) {
          const { content } = await engine.call('draft.open', { draftId: id })
          expect(may.texts).toContain(content.text)
          const [same] = there.filter(isOf)
          if (same !== undefined) expect((await oneThere(same.id)).text).toContain(content.text)
        }
      }
      expect(sentInAll + drafts.length).toBeGreaterThan(0)
      // With only a few runs, they may send nothing, or everything they write.
      if (ENDS >= OFTEN) expect(Math.min(sentInAll, drafts.length)).toBeGreaterThan(0)
      expect(ofColleagues.size).toBeGreaterThan(0)
      expect(await engine.rollbackNotices()).toEqual([])
    },
    120_000 + ENDS * 15_000,
  )
})
