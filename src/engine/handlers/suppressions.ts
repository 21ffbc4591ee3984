import type { DomainHandlers } from '../../shared/contract.ts'
import type { AddressSuppression } from '../../shared/suppressions.ts'
import type { AccountAccess } from '../account-access.ts'
import { createProblem } from '../platform/problem.ts'
import { canonicalizeAddress } from '../store/canonical-address.ts'

export const createSuppressionHandlers = ({ current, freshness }: AccountAccess): DomainHandlers<'suppression'> => {
  const of = (addresses: readonly string[]): readonly AddressSuppression[] =>
    addresses.map((address) => current().suppressions.of(address, freshness))
  return {
    'suppression.ofAddresses': ({ addresses }) => of(addresses),
    'suppression.refresh': async ({ addresses }) => {
      const { suppressions, signal } = current()
      await suppressions.refresh(addresses, { priority: 'screen', signal })
      return of(addresses)
    },
    'suppression.remove': ({ address }) => {
      const { suppressions, outbox } = current()
      if (suppressions.of(address, freshness).suppression === null) {
        throw createProblem('invalid_input', 'This address is not on the suppression list. Nothing was changed.')
      }
      return { changeId: outbox.suppress(canonicalizeAddress(address), false) }
    },
  }
}
