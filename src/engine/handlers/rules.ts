import { z } from 'zod'
import type { DomainHandlers } from '../../shared/contract.ts'
import { ruleEffectSchema } from '../../shared/rule-actions.ts'
import type { RuleLogEntry } from '../../shared/rules.ts'
import type { OpenAccount } from '../account.ts'
import type { OwnPart } from '../account-own.ts'
import type { LoggedRuleRuns } from '../own/outbox/rule-runs.ts'
import { importRules, toPortableRules } from '../own/rules/portable-rules.ts'
import { countMatchingThreads, runOnExistingMail } from '../own/rules/run-on-existing-mail.ts'

const outcome = ruleEffectSchema.extend({ leftIn: z.string().nullable().default(null) })

export const createRuleHandlers = (
  { cache, outbox, hub, rules }: OwnPart,
  { clock, signal }: Pick<OpenAccount, 'clock' | 'signal'>,
): DomainHandlers<'rule'> => {
  let preview = new AbortController()

  const toEntry = ({ sequence, at, rule, scope, thread, did, ...run }: LoggedRuleRuns): RuleLogEntry => {
    const inbox = cache.inboxes.get(scope)
    const { leftIn, ...deed } = outcome.safeParse(JSON.parse(did)).data ?? outcome.parse({})
    const names = new Map(rules.labelsOf(scope).map((label) => [label.id, label.name]))
    return {
      ...{ at: sequence, time: at, ruleId: rule, inboxId: scope, threads: run.threads, threadId: thread, leftIn },
      ruleName: rules.store.entries.find(({ id }) => id === rule)?.name ?? null,
      subject: inbox === undefined ? null : (cache.threads.get(inbox, thread)?.subject ?? null),
      did: { ...deed, labels: deed.labels.map((id) => names.get(id) ?? 'a deleted label') },
      changeId: run.isUndoable ? run.changeId : null,
    }
  }

  return {
    'rule.list': () => rules.list(),
    'rule.save': ({ before, ...rule }) =>
      rules.save({ ...rule, inboxId: cache.inboxes.require(rule.inboxId).id }, before),
    'rule.move': ({ id, before }) => rules.store.move(id, before),
    'rule.remove': ({ id }) => rules.store.remove(id),
    'rule.preview': async ({ inboxId, text }) => {
      preview.abort()
      preview = new AbortController()
      const filter = rules.filterOf({ id: '', inboxId: cache.inboxes.require(inboxId).id, text }, [])
      const either = AbortSignal.any([preview.signal, signal])
      return { threads: await countMatchingThreads({ cache }, inboxId, filter, either) }
    },
    'rule.run': async ({ id }) => {
      const rule = rules.store.find(id)
      const filter = rules.filterOf(rule)
      const receipt = await runOnExistingMail({ cache, outbox, clock }, rule, filter, signal)
      hub.rules()
      return receipt
    },
    'rule.log': ({ id, before, limit }) => outbox.ruleRuns.log(id, before, limit).map(toEntry),
    'rule.portable': () => toPortableRules({ cache, rules }),
    'rule.import': (given) => importRules({ cache, rules }, given),
  }
}
