import { randomUUID } from 'node:crypto'
import type { Label } from '../../../shared/model.ts'
import { ruleActionsSchema } from '../../../shared/rule-actions.ts'
import { RULE_LIMITS, type PortableRules, type Rule, type RuleImportResult } from '../../../shared/rules.ts'
import { findLabel } from '../../../shared/search/parse-search.ts'
import { ProblemError } from '../../../shared/result.ts'
import { validateRule, TOO_MANY_RULES, type StoredRule } from './rule-store.ts'

interface Inboxes {
  readonly addressOf: (inboxId: string) => string | null
  readonly inboxOf: (address: string) => string | null
  readonly labelsOf: (inboxId: string) => readonly Label[]
}

/** Rules in the export format. Leaves out rules whose inbox is gone. */
export const toPortableRules = (rules: readonly Rule[], { addressOf, labelsOf }: Inboxes): PortableRules => ({
  rules: rules.flatMap((rule) => {
    const { name, inboxId, text, isOn } = rule
    const inbox = addressOf(inboxId)
    if (inbox === null) return []
    const names = new Map(labelsOf(inboxId).map((label) => [label.id, label.name]))
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

/**
 * Selects the rules in a file that can be added after the existing ones.
 * @param check throws ProblemError if a rule conflicts with the others
 * @param newFrom time from which mail counts as new to the added rules
 */
export const selectImportableRules = (
  given: PortableRules,
  here: readonly StoredRule[],
  { inboxOf, labelsOf }: Inboxes,
  { check, newFrom }: { check: (rule: Rule, rules: readonly Rule[]) => void; newFrom: (inboxId: string) => number },
): RuleImportResult & { readonly rules: readonly StoredRule[] } => {
  const rules: StoredRule[] = []
  const leftOut: { name: string; reason: string }[] = []
  let same = 0
  const read = ({ inbox, search, addLabels, ...portable }: Portable): Rule | string => {
    const inboxId = inboxOf(inbox)
    if (inboxId === null) return `This account has no inbox ${inbox}.`
    const labels = labelsOf(inboxId)
    const ids: string[] = []
    for (const typed of addLabels) {
      const label = findLabel(typed, labels)
      if (label === undefined) return `${inbox} has no label “${typed}”. Create it, then import the file again.`
      ids.push(label.id)
    }
    return validateRule({ ...portable, id: randomUUID(), inboxId, text: search, addLabels: ids })
  }
  for (const portable of given.rules) {
    try {
      const rule = read(portable)
      const others = [...here, ...rules]
      if (typeof rule === 'string') leftOut.push({ name: portable.name, reason: rule })
      else if (others.some((each) => contentOf(each) === contentOf(rule))) same += 1
      else if (others.length >= RULE_LIMITS.rules) leftOut.push({ name: rule.name, reason: TOO_MANY_RULES })
      else {
        check(rule, others)
        rules.push({ ...rule, isOn: false, since: newFrom(rule.inboxId) })
      }
    } catch (thrown) {
      if (!(thrown instanceof ProblemError)) throw thrown
      leftOut.push({ name: portable.name, reason: thrown.problem.message })
    }
  }
  return { rules, added: rules.length, same, leftOut }
}
