import { z } from 'zod'
import { ruleActionsSchema } from '../rule-actions.ts'
import {
  portableRulesSchema,
  RULE_LIMITS,
  type ListedRule,
  type PortableRules,
  type Rule,
  type RuleLogEntry,
  type RuleImportResult,
} from '../rules.ts'
import { defineEngineCommand, defineHostCommand } from './command.ts'
import { idSchema, emptyInputSchema, type SavedFile } from './inputs.ts'

/** Deliberately above the real limit: the engine checks that limit and explains it in its response. */
const searchText = z.string().max(10 * RULE_LIMITS.text)

export interface RuleReceipt {
  /** Undoes the run; null if it changed no threads. */
  readonly changeId: string | null
  readonly threads: number
}

export const ruleCommands = {
  /** Rules of the account, in order. If several rules move a thread, the first one decides where to. */
  'rule.list': defineEngineCommand<readonly ListedRule[]>()('refused', emptyInputSchema),
  /**
   * Adds a rule, or replaces the one with the given ID, before another rule or at the end. `invalid_input` for a search
   * that rules don't support, and beyond `RULE_LIMITS`.
   */
  'rule.save': defineEngineCommand<Rule>()('refused', () =>
    z
      .object({
        id: idSchema.nullable(),
        name: z.string().max(1_000),
        inboxId: idSchema,
        text: searchText,
        ...ruleActionsSchema.shape,
        isOn: z.boolean(),
        before: idSchema.nullable().optional(),
      })
      .strict(),
  ),
  /** Moves a rule before another one, or to the end if `before` is null or gone. */
  'rule.move': defineEngineCommand<null>()('refused', () =>
    z.object({ id: idSchema, before: idSchema.nullable() }).strict(),
  ),
  /** Removes a rule; no error if it is already gone. Its effects stay in the log. */
  'rule.remove': defineEngineCommand<null>()('refused', () => z.object({ id: idSchema }).strict()),
  /** Number of local threads that match a rule's search. A later call cancels a running one. */
  'rule.preview': defineEngineCommand<{ readonly threads: number }>()('refused', () =>
    z.object({ inboxId: idSchema, text: searchText }).strict(),
  ),
  /** Runs a rule on the local mail, once for each thread, as a large change. */
  'rule.run': defineEngineCommand<RuleReceipt>()('refused', () => z.object({ id: idSchema }).strict()),
  /** Effects of one rule or all rules, newest first. */
  'rule.log': defineEngineCommand<readonly RuleLogEntry[]>()('refused', () =>
    z
      .object({ id: idSchema.nullable(), before: z.number().nullable(), limit: z.number().int().min(1).max(200) })
      .strict(),
  ),
  /** The account's rules in the export format. */
  'rule.portable': defineEngineCommand<PortableRules>()('owner', emptyInputSchema),
  /** Saves the account's rules as a file that `parseRules` can read. */
  'rule.export': defineHostCommand<SavedFile>()(emptyInputSchema),
  /** Adds exported rules after the existing ones, which don't change. */
  'rule.import': defineEngineCommand<RuleImportResult>()('owner', portableRulesSchema.strict()),
}

export interface RuleEvents {
  /** Rules changed, or were applied to mail. */
  'rules.changed': null
}
