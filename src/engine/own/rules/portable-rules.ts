import { randomUUID } from 'node:crypto'
import { ruleActionsSchema } from '../../../shared/rule-actions.ts'
import { RULE_LIMITS, type PortableRules, type Rule, type RuleImportResult } from '../../../shared/rules.ts'
import { findLabel } from '../../../shared/search/parse-search.ts'
import { ProblemError } from '../../../shared/result.ts'
import { findInboxId } from '../inbox-lookups.ts'
import type { Cache } from '../../store/cache.ts'
import type { Rules } from './rules.ts'
import { validateRule, TOO_MANY_RULES, type StoredRule } from './rule-store.ts'

interface Account {
  readonly cache: Pick<Cache, 'inboxes'>
  readonly rules: Pick<Rules, 'store' | 'labelsOf' | 'check' | 'newFrom'>
}

/** Rules in the export format. Leaves out rules whose inbox is gone. */
export const toPortableRules = ({ cache, rules }: Account): PortableRules => ({
  rules: rules.store.entries.flatMap((rule) => {
    const { name, inboxId, text, isOn } = rule
    const inbox = cache.inboxes.get(inboxId)?.inbox.emailAddress
    if (inbox === undefined) return []
    const names = new Map(rules.labelsOf(inboxId).map((label) => [label.id, label.name]))
    const addLabels = rule.addLabels.flatMap((id) => names.get(id) ?? [])
    return [{ name, inbox, search: text, ...ruleActionsSchema.parse(rule), addLabels, isOn }]
  }),
})

type Portable = PortableRules['rules'][number]

/** Equal for rules that do the same. */
const contentOf = (rule: Rule): string =>
  JSON.stringify([
    ...[rule.name, rule.inboxId, rule.text],
    ruleActionsSchema.parse({ ...rule, addLabels: [...rule.addLabels].toSorted() }),
  ])

/** Adds the rules of a file after the existing ones, switched off. @throws disk errors, leaving all unchanged */
export const importRules = ({ cache, rules }: Account, given: PortableRules): RuleImportResult => {
  const here = rules.store.entries
  const imported: StoredRule[] = []
  const leftOut: { name: string; reason: string }[] = []
  let same = 0
  const read = ({ inbox: address, search, addLabels, ...portable }: Portable): Rule | string => {
    const inboxId = findInboxId(cache, address)
    if (inboxId === null) return `This account has no inbox ${address}.`
    const labels = rules.labelsOf(inboxId)
    const ids: string[] = []
    for (const typed of addLabels) {
      const label = findLabel(typed, labels)
      if (label === undefined) return `${address} has no label “${typed}”. Create it, then import the file again.`
      ids.push(label.id)
    }
    return validateRule({ ...portable, id: randomUUID(), inboxId, text: search, addLabels: ids })
  }
  for (const portable of given.rules) {
    try {
      const rule = read(portable)
      const others = [...here, ...imported]
      if (typeof rule === 'string') leftOut.push({ name: portable.name, reason: rule })
      else if (others.some((each) => contentOf(each) === contentOf(rule))) same += 1
      else if (others.length >= RULE_LIMITS.rules) leftOut.push({ name: rule.name, reason: TOO_MANY_RULES })
      else {
        rules.check(rule, others)
        imported.push({ ...rule, isOn: false, since: rules.newFrom(rule.inboxId) })
      }
    } catch (thrown) {
      if (!(thrown instanceof ProblemError)) throw thrown
      leftOut.push({ name: portable.name, reason: thrown.problem.message })
    }
  }
  rules.store.add(imported)
  return { added: imported.length, same, leftOut }
}
