import { parseAddress } from '../../../shared/address.ts'
import type { Email } from '../../../shared/model.ts'
import { ruleActionsSchema } from '../../../shared/rule-actions.ts'
import { RULE_LIMITS } from '../../../shared/rules.ts'
import { quoteValue } from '../../../shared/search/format-search.ts'
import type { EditedRule } from './rules-manager.svelte.ts'

interface Sender {
  readonly name: string | null
  readonly address: string
}

/** Sender of the newest inbound e-mail, or null. @param emails oldest first */
export const findNewestSender = (emails: readonly Pick<Email, 'from' | 'direction'>[]): Sender | null => {
  const from = emails.findLast(({ direction }) => direction === 'inbound')?.from ?? null
  if (from === null) return null
  const { name, address } = parseAddress(from)
  return address === '' ? null : { name, address }
}

export const createEmptyRule = (inboxId: string): EditedRule => ({
  ...ruleActionsSchema.parse({}),
  ...{ id: null, name: '', inboxId, text: '', isOn: true },
})

export const createSenderRule = ({ name, address }: Sender, inboxId: string): EditedRule => ({
  ...createEmptyRule(inboxId),
  name: (name ?? address).slice(0, RULE_LIMITS.name),
  text: `from:${quoteValue(`<${address.replaceAll('"', '')}>`)}`,
})
