import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { combineRuleEffects } from '../../../../../src/engine/own/rules/combine-rule-effects.ts'
import { RuleStore, validateRule } from '../../../../../src/engine/own/rules/rule-store.ts'
import { listActiveRules, findDependentRule } from '../../../../../src/engine/own/rules/active-rules.ts'
import { applyStateChange, isChangedBy } from '../../../../../src/shared/thread-state.ts'
import { ruleActionsSchema, type RuleMove } from '../../../../../src/shared/rule-actions.ts'
import { ownLists } from '../../support/local-lists.ts'

const typed = {
  ...ruleActionsSchema.parse({}),
  ...{ id: null, name: 'Bills', inboxId: 'inbox-1', text: 'bill', addLabels: ['l-1'] as readonly string[] },
  ...{ move: 'archive' as RuleMove | null, markRead: false, star: false, notify: null, isOn: true },
}
const rulesOf = () => {
  const lists = ownLists()
  let changes = 0
  return { ...lists, changes: () => changes, open: () => new RuleStore(lists.own, () => (changes += 1)) }
}
const clock = { now: Date.UTC(2026, 4, 1), timeZone: 'UTC' }
const labels = [{ id: 'l-1', name: 'Billing', color: '#000000' }]

describe('user rules', () => {
  it('keep their order across restarts', () => {
    const files = rulesOf()
    const rules = files.open()
    const first = rules.save(validateRule(typed), 10)
    const second = rules.save(validateRule({ ...typed, name: 'Second' }), 20)
    rules.save(validateRule({ ...typed, name: 'Before' }), 30, first.id)
    rules.move(second.id, first.id)
    expect(files.open().entries).toMatchObject([{ name: 'Before' }, { name: 'Second' }, { name: 'Bills', since: 10 }])
    rules.remove(second.id)
    rules.remove(second.id)
    expect(files.open().entries).toHaveLength(2)
    expect(files.changes()).toBe(5)
  })

  it('ignore mail from before they were created, enabled or given a new search', () => {
    const rules = rulesOf().open()
    const rule = rules.save(validateRule(typed), 10)
    expect(rules.save({ ...rule, name: 'Other', move: 'trash' }, 20).since).toBe(10)
    expect(rules.save({ ...rule, text: 'other' }, 30).since).toBe(30)
    expect(rules.save({ ...rule, text: 'other', isOn: false }, 40).since).toBe(30)
    expect(rules.save({ ...rule, text: 'other', isOn: true }, 50).since).toBe(50)
  })

  it('can be restored after deletion', () => {
    const rules = rulesOf().open()
    const { since: _since, ...rule } = rules.save(validateRule(typed), 10)
    rules.remove(rule.id)
    expect(rules.save(validateRule(rule), 20)).toEqual({ ...rule, since: 20 })
  })

  it('need a name and an action, and have limits', () => {
    for (const name of [' ', '\u200e\u200f\u061c\u2060\u00ad', '\u0000\u202e', '\u2800']) {
      expect(() => validateRule({ ...typed, name })).toThrow('Type a name')
    }
    expect(validateRule({ ...typed, name: ' To\u2060 do\u200e ', text: 'a\u0000b\n ' })).toMatchObject({
      ...{ name: 'To do', text: 'a b' },
    })
    expect(() => validateRule({ ...typed, name: 'x'.repeat(101) })).toThrow('100 characters')
    expect(() => validateRule({ ...typed, text: 'x'.repeat(1_001) })).toThrow('too long')
    expect(() => validateRule({ ...typed, addLabels: [], move: null })).toThrow('Choose what')
    const rules = rulesOf().open()
    rules.add(Array.from({ length: 500 }, (_, at) => ({ ...validateRule({ ...typed, id: `r-${at}` }), since: 0 })))
    expect(() => rules.save(validateRule(typed), 0)).toThrow('500 rules')
  })

  it('don’t run if they search for a label that another rule adds', () => {
    const setter = { ...validateRule({ ...typed, id: 'setter' }), since: 0 }
    const waiter = {
      ...validateRule({ ...typed, id: 'waiter', name: 'Later', text: 'label:billing', addLabels: [] }),
      since: 0,
    }
    expect(findDependentRule(setter, [setter, waiter], labels, clock)).toEqual({ name: 'Later', label: 'Billing' })
    expect(findDependentRule({ ...setter, isOn: false }, [waiter], labels, clock)).toBeNull()
    const ids = (all: readonly (typeof setter)[]) =>
      listActiveRules(all, () => labels, clock)
        .get('inbox-1')
        ?.map(({ id }) => id)
    expect(ids([setter, waiter])).toEqual(['setter'])
    expect(ids([{ ...setter, isOn: false }, waiter])).toEqual(['waiter'])
  })
})

describe('several rules on one thread', () => {
  const thread = { folder: 'inbox', read: false, labelIds: ['l-0'] as readonly string[] }
  const rule = (addLabels: readonly string[], move: RuleMove | null = null, markRead = false, star = false) => ({
    ...ruleActionsSchema.parse({}),
    ...{ addLabels, move, markRead, star },
  })

  it('combine labels, and use the first move', () => {
    const { change, outcomes } = combineRuleEffects(
      [rule(['l-1', 'l-0']), rule(['l-1', 'l-2'], 'trash', true), rule([], 'spam', true, true)],
      thread,
    )
    expect(change).toEqual({ addLabels: ['l-1', 'l-2'], folder: 'trash', read: true, star: true })
    expect(outcomes).toEqual([
      { labels: ['l-1'], folder: null, read: false, star: false },
      { labels: ['l-2'], folder: 'trash', read: true, star: false },
      { labels: [], folder: null, read: false, star: true },
    ])
  })

  it('never move mail out of the archive, and ignore spam and trash', () => {
    expect(combineRuleEffects([rule(['l-1'], 'trash')], { ...thread, folder: 'archive' }).change).toEqual({
      addLabels: ['l-1'],
    })
    expect(combineRuleEffects([rule(['l-1'], 'archive', true)], { ...thread, folder: 'spam' })).toEqual({
      change: {},
      outcomes: [{ leftIn: 'spam' }],
    })
  })

  it('change nothing the second time', () => {
    const actions = fc.record({
      addLabels: fc.uniqueArray(fc.constantFrom('l-0', 'l-1', 'l-2', 'l-3'), { maxLength: 3 }),
      move: fc.constantFrom<RuleMove | null>(null, 'archive', 'spam', 'trash'),
      markRead: fc.boolean(),
      star: fc.boolean(),
      notify: fc.constant(null),
    })
    const state = fc.record({
      folder: fc.constantFrom('inbox', 'archive', 'spam', 'trash', 'sent'),
      read: fc.boolean(),
      labelIds: fc.uniqueArray(fc.constantFrom('l-0', 'l-1', 'l-2'), { maxLength: 2 }),
    })
    fc.assert(
      fc.property(fc.array(actions, { minLength: 1, maxLength: 6 }), state, (rules, before) => {
        const after = applyStateChange(before, combineRuleEffects(rules, before).change)
        expect(isChangedBy(after, combineRuleEffects(rules, after).change)).toBe(false)
      }),
    )
  })
})
