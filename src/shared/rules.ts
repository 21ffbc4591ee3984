/** Local rules for new mail that a search matches; `search/rule-search.ts` defines the allowed searches. */
import { z } from 'zod'

export const RULE_LIMITS = {
  rules: 500,
  /** Characters. */
  name: 100,
  /** UTF-16 units of its search. */
  text: 1_000,
  labels: 20,
  /** Characters of an imported file. */
  file: 5_000_000,
} as const

export const RULE_MOVES = ['archive', 'spam', 'trash'] as const
export type RuleMove = (typeof RULE_MOVES)[number]

export interface RuleActions {
  readonly addLabels: readonly string[]
  readonly move: RuleMove | null
  readonly markRead: boolean
  /** Local, like all marks. */
  readonly star: boolean
  /** False suppresses the notification; true shows it even if a rule moved the thread out of the inbox. */
  readonly notify: boolean | null
}

export interface Rule extends RuleActions {
  readonly id: string
  readonly name: string
  readonly inboxId: string
  /** The search as typed. */
  readonly text: string
  readonly isOn: boolean
}

export interface ListedRule extends Rule {
  /** Why an enabled rule doesn't run, or only in part; otherwise null. */
  readonly problem: string | null
  /** Threads that it acted on, as far as remembered. */
  readonly threads: number
}

export const isActing = ({ addLabels, move, markRead, star, notify }: RuleActions): boolean =>
  addLabels.length > 0 || move !== null || markRead || star || notify !== null

/** Effects of a rule on a thread; all empty if there was nothing to change. */
export interface RuleEffect {
  readonly labels: readonly string[]
  readonly folder: RuleMove | null
  readonly read: boolean
  readonly star: boolean
  /** True if it didn't move the thread or mark it as read, as somebody else's mail in it may be unread. */
  readonly isHeld?: boolean | undefined
}

/** One run of a rule: on a thread with new mail, or on all local mail. */
export interface RuleLogEntry {
  /** Position in the log, for `before`. */
  readonly at: number
  readonly time: number
  readonly ruleId: string
  readonly ruleName: string | null
  readonly inboxId: string
  readonly threads: number
  /** One of these threads. */
  readonly threadId: string
  /** Null if the thread has none, or is gone. */
  readonly subject: string | null
  /** With label names. */
  readonly did: RuleEffect
  /** Spam or trash, if the rule left a thread there alone. */
  readonly leftIn: string | null
  /** Change to undo; it includes other rules' effects on the thread. Null if nothing changed, or it's too long ago. */
  readonly changeId: string | null
}

const name = z.string().trim().min(1).max(RULE_LIMITS.name)
const labelName = z.string().trim().min(1).max(200)

/** Export format: inboxes by address, labels by name, since IDs mean nothing elsewhere. */
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
  /** Exact copies of existing rules. */
  readonly same: number
  readonly leftOut: readonly { readonly name: string; readonly reason: string }[]
}

const FORMAT = 'linnet-rules'
const fileHead = z.object({ format: z.literal(FORMAT), version: z.number() })
const fileSchema = fileHead.extend({ version: z.literal(1) }).extend(portableRules.shape)

export const writeRules = ({ rules }: PortableRules): string =>
  `${JSON.stringify({ format: FORMAT, version: 1, rules }, null, 2)}\n`

/** @returns a sentence with the fault if the file can't be read */
export const readRules = (text: string): PortableRules | string => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return 'This file is not JSON. Choose a file that Linnet exported.'
  }
  const head = fileHead.safeParse(json)
  if (!head.success) return 'This file has no Linnet rules. Choose a file that Linnet exported.'
  if (head.data.version !== 1) return 'This file was made by a newer Linnet. Update Linnet, then import it again.'
  const read = fileSchema.safeParse(json)
  if (read.success) return { rules: read.data.rules }
  const [issue] = read.error.issues
  const [list, place, field] = issue?.path ?? []
  if (list !== 'rules' || typeof place !== 'number') return 'The list of rules in this file cannot be read.'
  const which = field === undefined ? `Rule ${place + 1}` : `“${String(field)}” of rule ${place + 1}`
  return `${which} in this file cannot be read. Nothing was imported.`
}
