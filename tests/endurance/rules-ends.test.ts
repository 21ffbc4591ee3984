import { describe, expect, it } from 'vitest'
import { combineRuleEffects } from '../../src/engine/own/rules/combine-rule-effects.ts'
import { applyStateChange, type ThreadState } from '../../src/shared/thread-state.ts'
import { ruleActionsSchema, type RuleMove } from '../../src/shared/rule-actions.ts'
import { eventually } from '../integration/engine/support/eventually.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from '../integration/engine/support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from '../integration/engine/support/test-platform.ts'
import { Random } from '../support/random.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { counts, eachCase, SEED } from './support/endurance.ts'
import { runAndKill } from './support/run-and-kill.ts'

const ROUNDS = counts(15, { least: 3 })
const MAX_RULES = 8
/** Maximum number of syncs after which an idle run is killed. */
const MAX_LOOKS = 30
const LONGEST_MOMENT = 60

const NAMES = ['ann', 'bob', 'cid'] as const
const WORDS = ['alpha', 'beta', 'gamma', 'delta'] as const
const LABELS = ['One', 'Two', 'Three'] as const

interface Message {
  readonly subject: string
  readonly from: string
  readonly words: readonly string[]
}

/** A plain rule: its search text, and a predicate for the messages that match. */
interface PlainRule {
  readonly text: string
  readonly finds: (message: Message) => boolean
  readonly labels: readonly string[]
  readonly move: RuleMove | null
  readonly markRead: boolean
}

const some = <Item>(random: Random, items: readonly Item[]): readonly Item[] => items.filter(() => random.chance(0.4))

const drawRule = (random: Random): PlainRule => {
  const [name, other] = [random.pick(NAMES) ?? 'ann', random.pick(NAMES) ?? 'bob']
  const [word, second] = [random.pick(WORDS) ?? 'alpha', random.pick(WORDS) ?? 'beta']
  const from = (message: Message, ...names: readonly string[]): boolean =>
    names.some((each) => message.from.startsWith(each))
  const has = (message: Message, each: string): boolean => message.words.includes(each)
  const searches = [
    { text: `from:${name}`, finds: (message: Message) => from(message, name) },
    { text: word, finds: (message: Message) => has(message, word) },
    { text: `${word} -${second}`, finds: (message: Message) => has(message, word) && !has(message, second) },
    {
      text: `from:(${name}, ${other}) ${word}`,
      finds: (message: Message) => from(message, name, other) && has(message, word),
    },
    { text: `-has:attachment "${word}"`, finds: (message: Message) => has(message, word) },
  ]
  const search = random.pick(searches) ?? { text: word, finds: (message: Message) => has(message, word) }
  const move = random.pick([null, null, 'archive', 'spam', 'trash'] as const) ?? null
  const labels = some(random, LABELS)
  return { ...search, labels, move, markRead: random.chance(0.3) || (move === null && labels.length === 0) }
}

/** Expected final state of a message's thread, whichever computer sees it first, and however often. */
const modelOf = (rules: readonly PlainRule[], message: Message): ThreadState => {
  const before: ThreadState = { folder: 'inbox', read: false, labelIds: [] }
  const matching = rules
    .filter(({ finds }) => finds(message))
    .map((rule) => ({ ...ruleActionsSchema.parse({}), ...rule, addLabels: rule.labels }))
  return applyStateChange(before, combineRuleEffects(matching, before).change)
}

const threadsOn = async ({
  ask,
  inboxId,
}: TestPlatform): Promise<ReadonlyMap<string, ThreadState & { id: string }>> => {
  interface Row {
    readonly id: string
    readonly subject: string
    readonly folder: string
    readonly read: boolean
    readonly labels: readonly { readonly name: string }[]
  }
  const rows: Row[] = []
  for (let after = ''; ;) {
    const path = `/inboxes/${inboxId}/threads?limit=100&folders=inbox,archive,spam,trash${after}`
    const { data, has_more: hasMore } = await ask<{ data: readonly Row[]; has_more: boolean }>('GET', path)
    rows.push(...data)
    if (!hasMore) break
    after = `&after=${data.at(-1)?.id ?? ''}`
  }
  return new Map(
    rows.map(({ id, subject, folder, read, labels }) => [
      subject,
      { id, folder, read, labelIds: labels.map(({ name }) => name).toSorted() },
    ]),
  )
}

const saveRules = async (engine: TestEngine, inboxId: string, rules: readonly PlainRule[]): Promise<void> => {
  const labels = await engine.call('label.list', { inboxId })
  for (const [at, { text, labels: names, move, markRead }] of rules.entries()) {
    await engine.call('rule.save', {
      ...{ id: null, name: `Rule ${at}`, inboxId, text, move, markRead, star: false, notify: null, isOn: true },
      addLabels: names.map((name) => labels.find((label) => label.name === name)?.id ?? ''),
    })
  }
}

const expectEachOnce = async (
  engine: TestEngine,
  rules: readonly PlainRule[],
  messages: readonly Message[],
): Promise<void> => {
  const expected = messages.flatMap((message) =>
    rules.flatMap(({ finds }, at) => (finds(message) ? [`Rule ${at} ${message.subject}`] : [])),
  )
  const log = await eventually(
    () => engine.call('rule.log', { id: null, before: null, limit: 200 }),
    ({ length }) => length >= Math.min(200, expected.length),
  )
  expect(log.map(({ ruleName, subject }) => `${ruleName} ${subject}`).toSorted()).toEqual(expected.toSorted())
}

describe('rules on two computers with one mailbox, killed at any moment', () => {
  it('run once each and leave the platform as a plain model predicts', async () => {
    await eachCase(1, async (seed) => {
      const random = new Random(seed)
      const platform = await startTestPlatform()
      const { baseUrl, apiKey, inboxId, ask } = platform
      for (const name of LABELS) await ask('POST', `/inboxes/${inboxId}/labels`, { name, color: '#112233' })
      await platform.deliver({ subject: 'Before', from: 'ann@x.example', text: WORDS.join(' ') })
      const rules = Array.from({ length: 1 + random.below(MAX_RULES) }, () => drawRule(random))
      const computers = [temporaryDirectory(), temporaryDirectory()] as const
      for (const directory of computers) {
        const engine = await openSettledEngine(platform, directory)
        await saveRules(engine, inboxId, rules)
        await engine.close()
      }
      const messages: Message[] = []
      const live = async (directory: string, round: number): Promise<void> => {
        const runs = random.below(3)
        const moment = random.next() * LONGEST_MOMENT
        await runAndKill<'open' | 'looked' | 'ran' | 'failed', unknown>(
          'ruling-engine',
          [SEED + round, baseUrl, apiKey, directory],
          (said) =>
            said.filter(({ word }) => word === 'ran').length > runs ||
            said.filter(({ word }) => word === 'looked').length > (runs === 0 ? runs : MAX_LOOKS),
          moment,
        )
      }
      for (let round = 0; round < ROUNDS; round += 1) {
        for (let count = random.below(4); count >= 0; count -= 1) {
          const message = {
            subject: `Mail ${messages.length}`,
            from: `${random.pick(NAMES) ?? 'ann'}@x.example`,
            words: some(random, WORDS),
          }
          messages.push(message)
          await platform.deliver({ ...message, text: `Well ${message.words.join(' and ')}` })
        }
        if (random.chance(0.5)) await Promise.all(computers.map((directory) => live(directory, round)))
        else await live(computers[random.below(2)] ?? computers[0], round)
      }
      const engines: TestEngine[] = []
      for (const directory of computers) engines.push(await openTestEngine(platform, directory))
      for (const engine of engines) {
        await engine.call('sync.now', {})
        await engine.settled()
        await expectEachOnce(engine, rules, messages)
        await engine.settled()
      }
      const there = await threadsOn(platform)
      for (const message of messages) {
        const { folder, read, labelIds } = modelOf(rules, message)
        const { id: _id, ...state } = there.get(message.subject) ?? { id: '' }
        expect([message, state]).toEqual([message, { folder, read, labelIds: labelIds.toSorted() }])
      }
      expect(there.get('Before')).toMatchObject({ folder: 'inbox', read: false, labelIds: [] })
      // If someone reverses a rule's change, it stays reversed: rules don't fire again.
      for (const { subject } of messages) {
        await ask('PATCH', `/inboxes/${inboxId}/threads/${there.get(subject)?.id ?? ''}`, { folder: 'inbox' })
      }
      const before = platform.requests().filter((request) => /^(PATCH|POST|DELETE) \/inboxes/.test(request)).length
      for (const engine of engines) {
        await engine.call('sync.now', {})
        await engine.settled()
        await engine.advance(2_000)
        await engine.settled()
      }
      const changes = platform.requests().filter((request) => /^(PATCH|POST|DELETE) \/inboxes/.test(request)).length
      expect(changes).toBe(before)
      for (const engine of engines) await engine.close()
    })
  })
})
