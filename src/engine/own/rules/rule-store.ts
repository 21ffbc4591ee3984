import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { moveBefore } from '../../../shared/move-before.ts'
import { hasRuleActions, ruleActionsSchema } from '../../../shared/rule-actions.ts'
import { RULE_LIMITS, type Rule } from '../../../shared/rules.ts'
import { stripHiddenCharacters } from '../../../shared/visible-text.ts'
import { requireName } from '../require-name.ts'
import { OrderedList, type LocalLists } from '../local-list.ts'
import { createProblem } from '../../../shared/result.ts'

const entry = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  inboxId: z.string().min(1),
  text: z.string().min(1),
  ...ruleActionsSchema.shape,
  isOn: z.boolean(),
  since: z.number(),
})

export interface StoredRule extends Rule {
  /** The rule acts only on mail after this time, in milliseconds since the epoch, by the platform's clock. */
  readonly since: number
}

/** A rule as entered by the user. A new rule has no ID. */
export type RuleInput = Omit<Rule, 'id'> & { readonly id: string | null }

const textOf = (typed: string): string => {
  const text = typed.replace(/\p{Cc}+/gu, ' ').trim()
  if (text.length > RULE_LIMITS.text) {
    throw createProblem('invalid_input', 'This search is too long for a rule. Shorten it.')
  }
  return text
}

export const TOO_MANY_RULES = `You can have at most ${RULE_LIMITS.rules} rules. Delete one first.`

/** Validates a rule on its own, without regard to other rules. @throws ProblemError `invalid_input` */
export const validateRule = (typed: RuleInput): Rule => {
  const rule = {
    ...typed,
    id: typed.id ?? randomUUID(),
    name: requireName(stripHiddenCharacters(typed.name), RULE_LIMITS.name, 'Type a name for the rule.'),
    text: textOf(typed.text),
    addLabels: [...new Set(typed.addLabels)],
  }
  if (!hasRuleActions(rule)) throw createProblem('invalid_input', 'Choose what the rule does.')
  if (rule.addLabels.length > RULE_LIMITS.labels) {
    throw createProblem('invalid_input', `A rule can add at most ${RULE_LIMITS.labels} labels.`)
  }
  return rule
}

/** Rules exist only locally. A change is on disk when the method returns; after an error, nothing has changed. */
export class RuleStore extends OrderedList<StoredRule> {
  protected readonly goneMessage = 'This rule no longer exists.'

  constructor(own: LocalLists, changed: () => void) {
    super(own, 'rules', entry, changed)
  }

  /**
   * Adds or replaces a rule. If the rule is new, was off or has a new search, it doesn't act on existing mail.
   * @param now time of the newest mail, by the platform's clock
   * @param before if omitted, an existing rule keeps its place and a new one goes to the end
   */
  save(rule: Rule, now: number, before?: string | null): StoredRule {
    const known = this.entries.find(({ id }) => id === rule.id)
    if (known === undefined && this.entries.length >= RULE_LIMITS.rules)
      throw createProblem('invalid_input', TOO_MANY_RULES)
    const isSame = known !== undefined && known.isOn && known.text === rule.text && known.inboxId === rule.inboxId
    const kept = { ...rule, since: isSame ? known.since : now }
    const inPlace = this.entries.map((each) => (each.id === kept.id ? kept : each))
    this.set(known !== undefined && before === undefined ? inPlace : moveBefore(this.entries, kept, before ?? null))
    return kept
  }

  add(rules: readonly StoredRule[]): void {
    if (rules.length > 0) this.set([...this.entries, ...rules])
  }
}
