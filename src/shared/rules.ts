/**
 * Rules: what becomes of new mail that a search matches. They are a person's own, kept on this computer: the platform
 * knows none. Which searches a rule can have is in `search/rule-search.ts`.
 */
import { z } from 'zod'

export const RULE_LIMITS = {
  rules: 500,
  /** Characters of a rule's name. */
  name: 100,
  /** UTF-16 units of its search. */
  text: 1_000,
  /** Labels that one rule adds. */
  labels: 20,
  /** Characters of a file that is imported. */
  file: 5_000_000,
} as const

export const RULE_MOVES = ['archive', 'spam', 'trash'] as const
export type RuleMove = (typeof RULE_MOVES)[number]

export interface RuleActions {
  readonly addLabels: readonly string[]
  readonly move: RuleMove | null
  readonly markRead: boolean
  /** On this computer alone, as all marks are. */
  readonly star: boolean
  /** False keeps the notification away; true shows it also where a rule took the thread out of the inbox. */
  readonly notify: boolean | null
}

export interface Rule extends RuleActions {
  readonly id: string
  readonly name: string
  readonly inboxId: string
  /** The search, as it was typed. */
  readonly text: string
  readonly isOn: boolean
}

export interface ListedRule extends Rule {
  /** Why it does not run although it is on, or does only a part of it; null where nothing is wrong. */
  readonly problem: string | null
  /** Threads that it has acted on, of those that are remembered. */
  readonly threads: number
}

export const isActing = ({ addLabels, move, markRead, star, notify }: RuleActions): boolean =>
  addLabels.length > 0 || move !== null || markRead || star || notify !== null

/** What a rule did with a thread; all empty if the thread was like that already. */
export interface RuleDeed {
  readonly labels: readonly string[]
  readonly folder: RuleMove | null
  readonly read: boolean
  readonly star: boolean
  /** True if it neither moved the thread nor marked it as read, because another person's mail in it may be unread. */
  readonly isHeld?: boolean | undefined
}

/** What a rule did at once: with a thread that got mail, or on all that was here. */
export interface RuleLogEntry {
  /** The place in the log, for `before`. */
  readonly at: number
  readonly time: number
  readonly ruleId: string
  /** Null where the rule was deleted. */
  readonly ruleName: string | null
  readonly inboxId: string
  readonly threads: number
  /** One of them. */
  readonly threadId: string
  /** Null where the thread has none, or is not here any more. */
  readonly subject: string | null
  /** With the names of labels. */
  readonly did: RuleDeed
  /** Where it lay, where the rule left it alone: in spam or trash. */
  readonly leftIn: string | null
  /** Undoes it, and what other rules did to the thread with it; null where nothing was changed, or it is too long ago. */
  readonly changeId: string | null
}

const name = z.string().trim().min(1).max(RULE_LIMITS.name)
const labelName = z.string().trim().min(1).max(200)

/** What goes out as a file and comes in: inboxes by address, labels by name, as IDs mean nothing elsewhere. */
export const portableRules = z.object({
  rules: z
    .array(
      z
        .object({
          name,
          inbox: z.string().trim().min(1).max(512),
          search: z.string().trim().min(1).max(RULE_LIMITS.text),
          addLabels: z.array(labelName).max(RULE_LIMITS.labels),
          move: z.enum(RULE_MOVES).nullable(),
          markRead: z.boolean(),
          star: z.boolean(),
          notify: z.boolean().nullable(),
          isOn: z.boolean(),
        })
        .strict(),
    )
    .max(RULE_LIMITS.rules),
})
export type PortableRules = z.infer<typeof portableRules>

export interface RulesImported {
  readonly added: number
  /** Those that were here already, word for word. */
  readonly same: number
  readonly leftOut: readonly { readonly name: string; readonly reason: string }[]
}

const FORMAT = 'linnet-rules'
const fileHead = z.object({ format: z.literal(FORMAT), version: z.number() })
const fileSchema = fileHead.extend({ version: z.literal(1) }).extend(portableRules.shape)

export const writeRules = ({ rules }: PortableRules): string =>
  `${JSON.stringify({ format: FORMAT, version: 1, rules }, null, 2)}\n`

/** Reads such a file. @returns the sentence that says what is wrong with it, where it cannot be read */
export const readRules = (text: string): PortableRules | string => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return 'This file is not JSON. Choose a file that Linnet exported.'
  }
  const head = fileHead.safeParse(json)
  if (!head.success) return 'This file holds no rules of Linnet. Choose a file that Linnet exported.'
  if (head.data.version !== 1) return 'This file was made by a newer Linnet. Update Linnet, then import it again.'
  const read = fileSchema.safeParse(json)
  if (read.success) return { rules: read.data.rules }
  const [issue] = read.error.issues
  const [list, place, field] = issue?.path ?? []
  if (list !== 'rules' || typeof place !== 'number') return 'The list of rules in this file cannot be read.'
  const which = field === undefined ? `Rule ${place + 1}` : `“${String(field)}” of rule ${place + 1}`
  return `${which} in this file cannot be read. Nothing was imported.`
}
