import { describe, expect, it } from 'vitest'
import { describeRuleFault, parseRuleSearch } from '../../src/shared/search/rule-search.ts'
import { portableRulesSchema, parseRules, serializeRules } from '../../src/shared/rules.ts'

const context = {
  now: Date.UTC(2026, 4, 1),
  timeZone: 'Europe/Berlin',
  labels: [
    { id: 'l-1', name: 'Billing' },
    { id: 'l-2', name: 'Done' },
  ],
}
const read = (text: string, setLabels = new Map<string, string>()) => {
  const { faults } = parseRuleSearch(text, context, (id) => setLabels.get(id))
  return faults.map(({ code, span }) => [code, text.slice(span.start, span.end)])
}

describe('search of a rule', () => {
  it.each([
    'from:ann@example.com',
    'invoice -draft "to be paid" subject:(open bill)',
    'to:(support, help) has:attachment',
    'after:2026-05-01 before:2026-06-01',
    'label:Done',
    ...['c++', 'how are you?', '$100', '(invoice)', 'a.b@example.com', 'invoice (a+)+$'],
  ])('can be %s', (text) => {
    expect(read(text)).toEqual([])
  })

  it.each([
    ['', 'empty_rule', ''],
    ['   ', 'empty_rule', '   '],
    ['(a+)+$', 'empty_rule', '(a+)+$'],
    ['"[a-z]+"', 'empty_rule', '"[a-z]+"'],
    ['^.*$ a.+b', 'empty_rule', '^.*$ a.+b'],
    ['subject:\\w+', 'empty_rule', 'subject:\\w+'],
    ['ann in:inbox', 'not_in_rule', 'in:inbox'],
    ['is:unread ann', 'not_in_rule', 'is:unread'],
    ['-is:kept ann', 'not_in_rule', '-is:kept'],
    ['ann newer_than:7d', 'moving_date', 'newer_than:7d'],
    ['ann on:yesterday', 'moving_date', 'on:yesterday'],
    ['ann after:7d', 'moving_date', 'after:7d'],
    ['ann before:monday', 'moving_date', 'before:monday'],
    ['ann after:"1 dec"', 'moving_date', 'after:"1 dec"'],
    ['ann colour:red', 'unknown_operator', 'colour'],
    ['ann label:Nothing', 'unknown_label', 'Nothing'],
  ])('can’t be “%s”', (text, code, marked) => {
    expect(read(text)).toEqual([[code, marked]])
  })

  it('names no label that another rule sets, and says which', () => {
    const set = new Map([['l-1', 'Invoices']])
    expect(read('ann label:billing', set)).toEqual([['label_of_rule', 'label:billing']])
    expect(read('ann label:done', set)).toEqual([])
    const [fault] = parseRuleSearch('label:billing', context, (id) => set.get(id)).faults
    expect(fault && describeRuleFault(fault)).toContain('“Invoices” adds the label “Billing”')
  })
})

describe('rules file', () => {
  const rule = {
    ...{ name: 'Bills', inbox: 'desk@example.com', search: 'subject:bill', addLabels: ['Billing'] },
    ...{ move: 'archive' as const, markRead: true, star: false, notify: null, isOn: true },
  }

  it('round-trips', () => {
    expect(parseRules(serializeRules({ rules: [rule] }))).toEqual({ rules: [rule] })
  })

  it.each([
    ['{', /not JSON/],
    ['[]', /no Linnet rules/],
    ['{"format":"linnet-rules","version":2,"rules":[]}', /newer version of Linnet/],
    ['{"format":"linnet-rules","version":1}', /rules in this file cannot be read/],
    [serializeRules({ rules: [{ ...rule, move: 'moon' as never }] }), /“move” of rule 1/],
    [serializeRules({ rules: [rule, { ...rule, name: '' }] }), /“name” of rule 2/],
  ])('is rejected with a message: %s', (text, words) => {
    expect(parseRules(text)).toMatch(words)
  })

  it('has a limit of 500 rules', () => {
    expect(portableRulesSchema.safeParse({ rules: Array.from({ length: 501 }, () => rule) }).success).toBe(false)
  })
})
