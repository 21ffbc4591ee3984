import { z } from 'zod'
import {
  portableRules,
  RULE_LIMITS,
  RULE_MOVES,
  type ListedRule,
  type PortableRules,
  type Rule,
  type RuleLogEntry,
  type RulesImported,
} from '../rules.ts'
import { engine, hostOf } from './command.ts'
import { id, nothing, type SavedFile } from './inputs.ts'

/** Deliberately above the real limit: the engine checks that limit and explains it in its response. */
const searchText = z.string().max(10 * RULE_LIMITS.text)

export interface RuleReceipt {
  /** Undoes the run; null if it changed no threads. */
  readonly changeId: string | null
  readonly threads: number
}

export const ruleCommands = {
  /** Rules of the account, in order. If several rules move a thread, the first one decides where to. */
  'rule.list': engine<readonly ListedRule[]>()('joined', nothing),
  /**
   * Adds a rule, or replaces the one with the given ID, before another rule or at the end. `invalid_input` for a search
   * that rules don't support, and beyond `RULE_LIMITS`.
   */
  'rule.save': engine<Rule>()('refused', () =>
    z
      .object({
        id: id.nullable(),
        name: z.string().max(1_000),
        inboxId: id,
        text: searchText,
        addLabels: z.array(id).max(100),
        move: z.enum(RULE_MOVES).nullable(),
        markRead: z.boolean(),
        star: z.boolean(),
        notify: z.boolean().nullable(),
        isOn: z.boolean(),
        before: id.nullable().optional(),
      })
      .strict(),
  ),
  /** Moves a rule before another one, or to the end if `before` is null or gone. */
  'rule.move': engine<null>()('refused', () => z.object({ id, before: id.nullable() }).strict()),
  /** Removes a rule; no error if it is already gone. Its effects stay in the log. */
  'rule.remove': engine<null>()('refused', () => z.object({ id }).strict()),
  /** Number of local threads that match a rule's search. A later call cancels a running one. */
  'rule.preview': engine<{ readonly threads: number }>()('refused', () =>
    z.object({ inboxId: id, text: searchText }).strict(),
  ),
  /** Runs a rule on the local mail, once for each thread, as a large change. */
  'rule.run': engine<RuleReceipt>()('refused', () => z.object({ id }).strict()),
  /** Effects of one rule or all rules, newest first. */
  'rule.log': engine<readonly RuleLogEntry[]>()('joined', () =>
    z.object({ id: id.nullable(), before: z.number().nullable(), limit: z.number().int().min(1).max(200) }).strict(),
  ),
  /** The account's rules in the export format. */
  'rule.portable': engine<PortableRules>()('open', nothing),
  /** Saves the account's rules as a file that `readRules` can read. */
  'rule.export': hostOf<SavedFile>()('open', nothing),
  /** Adds exported rules after the existing ones, which don't change. */
  'rule.import': engine<RulesImported>()('open', portableRules.strict()),
}

export interface RuleEvents {
  /** Rules changed, or were applied to mail. */
  'rules.changed': null
}
