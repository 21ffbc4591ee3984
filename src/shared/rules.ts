/** Local rules for new mail that matches a search. `search/rule-search.ts` defines the allowed searches. */
import { z } from 'zod'
import { ruleActionsSchema, type RuleActions, type RuleEffect } from './rule-actions.ts'

export const RULE_LIMITS = {
  rules: 500,
  /** Maximum characters of a rule's name. */
  name: 100,
  /** Maximum UTF-16 units of a rule's search. */
  text: 1_000,
  labels: 20,
  /** Maximum characters of an imported file. */
  file: 5_000_000,
} as const

export interface Rule extends RuleActions {
  readonly id: string
  readonly name: string
  readonly inboxId: string
  /** The search as typed. */
  readonly text: string
  readonly isOn: boolean
}

/** Finds the name of another active rule in the inbox that adds a label. @param rule its ID is null if it is new */
export const findRuleByLabel =
  (rule: { readonly id: string | null; readonly inboxId: string }, rules: readonly Rule[]) =>
  (labelId: string): string | undefined =>
    rules.find(
      ({ id, inboxId, isOn, addLabels }) =>
        isOn && id !== rule.id && inboxId === rule.inboxId && addLabels.includes(labelId),
    )?.name

export interface ListedRule extends Rule {
  /** Why an enabled rule doesn't run, or only in part; otherwise null. */
  readonly problem: string | null
  /** Number of threads that the rule acted on, as far as the log goes back. */
  readonly threads: number
}

/** One run of a rule: on a thread with new mail, or on all local mail. */
export interface RuleLogEntry {
  /** Position in the log. Pass it to `rule.log` as `before` to read older entries. */
  readonly at: number
  readonly time: number
  readonly ruleId: string
  readonly ruleName: string | null
  readonly inboxId: string
  readonly threads: number
  /** ID of one of the threads. */
  readonly threadId: string
  /** Null if the thread has no subject, or no longer exists. */
  readonly subject: string | null
  /** Effects of the rule, with label names instead of IDs. */
  readonly did: RuleEffect
  /** Spam or trash, if the rule left a thread unchanged because it was in that folder. */
  readonly leftIn: string | null
  /**
   * Change to undo, which includes the effects of other rules on the thread. Null if nothing changed, or if it was too
   * long ago.
   */
  readonly changeId: string | null
}

const name = z.string().trim().min(1).max(RULE_LIMITS.name)
const labelName = z.string().trim().min(1).max(200)

/** Export format. Inboxes are given by address and labels by name, because IDs mean nothing in another account. */
export const portableRulesSchema = z.object({
  rules: z
    .array(
      z
        .object({
          name,
          inbox: z.string().trim().min(1).max(512),
          search: z.string().trim().min(1).max(RULE_LIMITS.text),
          ...ruleActionsSchema.shape,
          addLabels: z.array(labelName).max(RULE_LIMITS.labels),
          isOn: z.boolean(),
        })
        .strict(),
    )
    .max(RULE_LIMITS.rules),
})
export type PortableRules = z.infer<typeof portableRulesSchema>

export interface RuleImportResult {
  readonly added: number
  /** Number of rules that are exact copies of existing ones. */
  readonly same: number
  readonly leftOut: readonly { readonly name: string; readonly reason: string }[]
}

const FORMAT = 'linnet-rules'
const fileHead = z.object({ format: z.literal(FORMAT), version: z.number() })
const fileSchema = fileHead.extend({ version: z.literal(1) }).extend(portableRulesSchema.shape)

export const serializeRules = ({ rules }: PortableRules): string =>
  `${JSON.stringify({ format: FORMAT, version: 1, rules }, null, 2)}\n`

/** @returns the rules, or an error message for the user if the file can't be read */
export const parseRules = (text: string): PortableRules | string => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return 'This file is not JSON. Choose a file that Linnet exported.'
  }
  const head = fileHead.safeParse(json)
  if (!head.success) return 'This file has no Linnet rules. Choose a file that Linnet exported.'
  if (head.data.version !== 1)
    return 'This file was created by a newer version of Linnet. Update Linnet, then import it again.'
  const read = fileSchema.safeParse(json)
  if (read.success) return { rules: read.data.rules }
  const [issue] = read.error.issues
  const [list, place, field] = issue?.path ?? []
  if (list !== 'rules' || typeof place !== 'number')
    return 'The rules in this file cannot be read. Nothing was imported.'
  const which = field === undefined ? `Rule ${place + 1}` : `“${String(field)}” of rule ${place + 1}`
  return `${which} in this file cannot be read. Nothing was imported.`
}
