/** Rules for new mail. */
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

/** Longer than any search of a rule: the limit is explained in the answer. */
const searchText = z.string().max(10 * RULE_LIMITS.text)

/** What a rule does on mail that is here. */
export interface RuleReceipt {
  /** The ID that undoes it; null where no thread was changed. */
  readonly changeId: string | null
  /** Threads that were changed. */
  readonly threads: number
}

export const ruleCommands = {
  /** The rules of the account, in their order: the first that moves a thread decides where to. */
  'rule.list': engine<readonly ListedRule[]>()('joined', nothing),
  /**
   * Replaces a rule, or adds it if it is not there, under its ID if it has one, before another or at the end.
   * `invalid_input` for a search that a rule cannot have, and beyond the bounds of `RULE_LIMITS`.
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
  /** Moves a rule before another; to the end if that is null or gone. */
  'rule.move': engine<null>()('refused', () => z.object({ id, before: id.nullable() }).strict()),
  /** Removing one that is gone is no error. What it did stays in the log. */
  'rule.remove': engine<null>()('refused', () => z.object({ id }).strict()),
  /** How many threads that are here the search of a rule matches; a later call cancels a running one. */
  'rule.preview': engine<{ readonly threads: number }>()('refused', () =>
    z.object({ inboxId: id, text: searchText }).strict(),
  ),
  /** Runs a rule on the mail that is here, once for each thread, as a large change. */
  'rule.run': engine<RuleReceipt>()('refused', () => z.object({ id }).strict()),
  /** What rules did, newest first: of one of them, or of all. */
  'rule.log': engine<readonly RuleLogEntry[]>()('joined', () =>
    z.object({ id: id.nullable(), before: z.number().nullable(), limit: z.number().int().min(1).max(200) }).strict(),
  ),
  /** The rules as a file has them. */
  'rule.portable': engine<PortableRules>()('open', nothing),
  /** Saves the rules of the account as a file that `readRules` reads. */
  'rule.export': hostOf<SavedFile>()('open', nothing),
  /** Imports what was exported, behind the rules that are here, which stay as they are. */
  'rule.import': engine<RulesImported>()('open', portableRules.strict()),
}

export interface RuleEvents {
  /** Rules are others than before, or have done something. */
  'rules.changed': null
}
