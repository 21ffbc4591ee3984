import type { HandlersOf } from '../../shared/contract.ts'
import type { SuppressionOfAddress } from '../../shared/suppressions.ts'
import type { AccountAccess } from '../account-access.ts'
import { problem } from '../problem.ts'
import { canonicalAddress } from '../store/canonical-address.ts'

export const suppressionHandlers = ({ current, freshness }: AccountAccess): HandlersOf<'suppression'> => {
  const of = (addresses: readonly string[]): readonly SuppressionOfAddress[] =>
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
        throw problem('invalid_input', 'This address is not on the suppression list. Nothing was changed.')
      }
      return { changeId: outbox.suppress(canonicalAddress(address), false) }
    },
  }
}
