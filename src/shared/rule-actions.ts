/** Actions of rules. The engine, the file format, the rule dialog and the log derive from these tables. */
import { z } from 'zod'
import { isChangedBy, type ThreadState, type ThreadStateChange } from './thread-state.ts'

const ids = z.array(z.string().min(1).max(512)).max(100).readonly().default([])
const move = z.enum(['archive', 'spam', 'trash']).nullable().default(null)
const flag = z.boolean().default(false)

/** Actions of a rule. A missing one does nothing, so that rules from before it existed stay valid. */
export const ruleActionsSchema = z.object({
  addLabels: ids,
  move,
  markRead: flag,
  /** Stars stay local, like all marks. */
  star: flag,
  /** False suppresses the notification; true shows it even if a rule moved the thread out of the inbox. */
  notify: z.boolean().nullable().default(null),
})
export type RuleActions = Readonly<z.output<typeof ruleActionsSchema>>
export type RuleMove = NonNullable<RuleActions['move']>

/** Effects of a rule on a thread, as in the log. All fields are empty if there was nothing to change. */
export const ruleEffectSchema = z.object({
  labels: ids,
  folder: move,
  read: flag,
  star: flag,
  /**
   * True if the rule neither moved the thread nor marked it as read, because it may contain unread mail from somebody
   * else.
   */
  isHeld: z.boolean().optional(),
})
export type RuleEffect = Readonly<z.output<typeof ruleEffectSchema>>

/** Input in the rule dialog. */
type RuleField<Value> =
  | { readonly kind: 'labels' | 'switch'; readonly label: string }
  | {
      readonly kind: 'choice'
      readonly label: string
      readonly options: readonly (readonly [value: Value, label: string])[]
      readonly hint?: string
    }

interface RuleAction<Value> {
  readonly field: RuleField<Value>
  /** Phrases for the rule and for the log: “archive”, “archived”. Empty if the value does nothing. */
  readonly phrases: (value: Value) => readonly (readonly [todo: string, done: string])[]
  /** True if it may hide unread mail. */
  readonly hides: (value: Value) => boolean
  /** Name in the log, or null if the action doesn't change the thread. */
  readonly logged: Exclude<keyof RuleEffect, 'isHeld'> | null
  readonly change: (value: Value) => ThreadStateChange
  /** The part of the value that applies to the thread. */
  readonly applicable: (value: Value, thread: ThreadState) => Value
}

const defineSwitch = (
  label: string,
  phrases: readonly [todo: string, done: string],
  row: Pick<RuleAction<boolean>, 'hides' | 'logged' | 'change'>,
): RuleAction<boolean> => ({
  ...row,
  field: { kind: 'switch', label },
  phrases: (isOn) => (isOn ? [phrases] : []),
  applicable: (isOn, thread) => isOn && isChangedBy(thread, row.change(isOn)),
})

const MOVES = {
  archive: ['archive', 'archived'],
  spam: ['move to spam', 'moved to spam'],
  trash: ['move to trash', 'moved to trash'],
} as const

const RULE_ACTIONS: { readonly [Id in keyof RuleActions]: RuleAction<RuleActions[Id]> } = {
  addLabels: {
    field: { kind: 'labels', label: 'Add labels' },
    phrases: (names) => names.map((name) => [`label “${name}”`, `labelled “${name}”`]),
    hides: () => false,
    logged: 'labels',
    change: (addLabels) => ({ addLabels }),
    applicable: (labels, { labelIds }) => labels.filter((id) => !labelIds.includes(id)),
  },
  move: {
    field: {
      kind: 'choice',
      label: 'Move thread',
      options: [
        [null, 'Don’t move'],
        ['archive', 'Archive'],
        ['spam', 'Spam'],
        ['trash', 'Trash'],
      ],
    },
    phrases: (folder) => (folder === null ? [] : [MOVES[folder]]),
    hides: (folder) => folder !== null,
    logged: 'folder',
    change: (folder) => ({ folder: folder ?? undefined }),
    applicable: (to, { folder }) => (folder === 'inbox' ? to : null),
  },
  markRead: defineSwitch('Mark as read', ['mark as read', 'marked as read'], {
    hides: (isOn) => isOn,
    logged: 'read',
    change: (read) => ({ read }),
  }),
  star: defineSwitch('Star', ['star', 'starred'], {
    hides: () => false,
    logged: 'star',
    change: (star) => ({ star }),
  }),
  notify: {
    field: {
      kind: 'choice',
      label: 'Notify',
      options: [
        [null, 'As usual'],
        [true, 'Always'],
        [false, 'Never'],
      ],
      hint: '“Always” notifies you even if the rule moves the thread.',
    },
    phrases: (notify) => (notify === null ? [] : [notify ? ['notify', ''] : ['don’t notify', '']]),
    hides: (notify) => notify === false,
    logged: null,
    change: () => ({}),
    applicable: () => null,
  },
}

/** Each action with its ID, for the value that a rule has under the same ID. */
export const RULE_ACTION_ROWS = Object.entries(RULE_ACTIONS) as unknown as readonly (readonly [
  keyof RuleActions,
  RuleAction<unknown>,
])[]

/** @param rule its labels are names */
export const listRuleActions = (rule: RuleActions): readonly string[] =>
  RULE_ACTION_ROWS.flatMap(([id, { phrases }]) => phrases(rule[id]).map(([todo]) => todo))

export const hasRuleActions = (rule: RuleActions): boolean => listRuleActions(rule).length > 0

export const mayHideMail = (rule: RuleActions): boolean => RULE_ACTION_ROWS.some(([id, { hides }]) => hides(rule[id]))
