import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MailPlatform } from '../../src/engine/platform/mail-platform.ts'
import { createChangeTypes, Outbox } from '../../src/engine/own/outbox/outbox.ts'
import { OutboxFile } from '../../src/engine/own/outbox/outbox-file.ts'
import { openOwnFile } from '../support/own-file.ts'
import { Rules } from '../../src/engine/own/rules/rules.ts'
import type { Cache } from '../../src/engine/store/cache.ts'
import { systemClock } from '../../src/engine/timing/clock.ts'
import { Random } from '../../packages/platform/src/random.ts'
import { ruleActionsSchema } from '../../src/shared/rule-actions.ts'
import { RULE_LIMITS, type Rule } from '../../src/shared/rules.ts'
import { openUnchangedCache } from '../support/open-cache.ts'
import { inboxOf } from '../support/raw-payloads.ts'
import type { Figure } from './figure.ts'
import { fillInbox, FIRST_NAMES, LAST_NAMES, NOW, wordOfRank } from './filled-inbox.ts'

const EMAILS = Number(process.env.BENCH_EMAILS ?? 20_000)
/** Typical rules: most by sender, some by rare words. */
const searchOf = (random: Random, at: number): string => {
  const seldom = (): string => wordOfRank(2_000 + random.below(18_000))
  const name = `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`
  switch (at % 10) {
    case 0:
      return `subject:${seldom()} ${wordOfRank(random.below(50))}`
    case 1:
      return `"${seldom()} ${seldom()}"`
    case 2:
      return `from:"${name}" has:attachment ${seldom()}`
    case 3:
    case 4:
      return `${seldom()} ${seldom()}`
    default:
      return `from:${name.toLowerCase().replace(' ', '.')}@company${at % 40}.example`
  }
}

const nothing = (): void => undefined

/** Runs all rules over an inbox, as after a first sync. @returns seconds, and the number of changed threads */
const runOver = async (
  cache: Cache,
  directory: string,
): Promise<{ seconds: number; longest: number; threads: number }> => {
  const ending = new AbortController()
  const own = openOwnFile(directory)
  const file = new OutboxFile(own)
  const hub = {
    rules: nothing,
    threads: nothing,
    labels: nothing,
    topics: nothing,
    contacts: nothing,
    suppressions: nothing,
  }
  const parts = {
    ...{ cache, hub, deliverDraft: () => Promise.resolve() },
    findSuppression: () => Promise.resolve(null),
    // Never called: nothing is sent.
    platform: {} as MailPlatform,
    notFound: { ofThread: () => new Promise<never>(nothing), inboxExists: () => Promise.resolve(true) },
  }
  const outbox: Outbox = new Outbox(file, createChangeTypes(parts, { ...systemClock, now: () => NOW }), {
    ...{ shown: nothing, refused: nothing, replaced: nothing, progressed: nothing },
    failed: (thrown) => {
      throw thrown
    },
  })
  const rules = new Rules({
    ...{ own, cache, hub, outbox, clock: systemClock, signal: ending.signal },
    today: () => ({ now: NOW, timeZone: 'UTC' }),
    report: (thrown) => {
      throw thrown
    },
  })
  const random = new Random(3)
  rules.store.add(
    Array.from({ length: RULE_LIMITS.rules }, (_, at) => {
      const rule: Rule = {
        ...ruleActionsSchema.parse({}),
        ...{ id: `rule-${at}`, name: `Rule ${at}`, inboxId: 'inbox', text: searchOf(random, at), addLabels: [] },
        ...{ move: at % 2 === 0 ? 'archive' : null, markRead: true, isOn: true },
      }
      return { ...rule, since: 0 }
    }),
  )
  const begun = performance.now()
  const last = cache.incoming.last()
  let [before, longest] = [begun, 0]
  const watch = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - before)
    before = now
  }, 1)
  rules.start()
  await new Promise<void>((resolve) => {
    const look = setInterval(() => {
      if (cache.accountMeta.get('rules looked up to')?.startsWith(`${last} `) !== true) return
      clearInterval(look)
      resolve()
    }, 2)
  })
  clearInterval(watch)
  const seconds = (performance.now() - begun) / 1000
  const threads = new Set(file.ruleRuns.log(null, null, 100_000).map(({ thread }) => thread)).size
  ending.abort()
  await rules.ended()
  await own.close()
  return { seconds, longest, threads }
}

/** 500 rules over 20,000 new messages, compared with storing and indexing them in a first sync. */
export const measureRules = async (): Promise<readonly Figure[]> => {
  const directory = mkdtempSync(join(tmpdir(), 'linnet-rules-'))
  try {
    const cache = openUnchangedCache(join(directory, 'cache.sqlite'))
    const close = cache.close
    cache.inboxes.storeListed([inboxOf({ id: 'inbox' })])
    const { emails, secondsToFill } = fillInbox(
      cache,
      { key: cache.inboxes.get('inbox')?.key ?? -1, id: 'inbox' },
      EMAILS,
    )
    const { seconds, longest, threads } = await runOver(cache, directory)
    close()
    return [
      {
        name: `${RULE_LIMITS.rules} rules over ${emails.toLocaleString('en')} new messages, against a first sync’s own time`,
        measured: (100 * seconds) / secondsToFill,
        unit: '%',
        bound: { kind: 'at most', value: 10 },
        note: `${seconds.toFixed(2)} s beside ${secondsToFill.toFixed(1)} s of storing and indexing; ${threads.toLocaleString('en')} threads changed; longest turn ${longest.toFixed(0)} ms`,
      },
    ]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
