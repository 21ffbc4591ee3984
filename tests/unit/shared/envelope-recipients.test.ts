import { describe, expect, it } from 'vitest'
import { resolveReplyRecipients } from '../../../src/shared/reply-recipients.ts'
import { findUnlistedRecipients } from '../../../src/shared/envelope-recipients.ts'

describe('addresses that an e-mail was received for', () => {
  it('are listed if the headers lack them, ignoring case and sub-address', () => {
    const named = ['Sales <SALES@quay.example>', 'Kim <kim@pier.example>']
    expect(
      findUnlistedRecipients(['sales@quay.example', 'desk@quay.example', 'Sales+fair@quay.example'], named),
    ).toEqual(['desk@quay.example'])
    expect(findUnlistedRecipients([], named)).toEqual([])
    expect(findUnlistedRecipients(['desk@quay.example'], ['undisclosed-recipients:;'])).toEqual(['desk@quay.example'])
  })

  it('are left out of reply-all', () => {
    const email = {
      ...({ direction: 'inbound', from: 'Ann <ann@pier.example>', replyTo: [] } as const),
      to: ['sales@quay.example', 'Bo <bo@pier.example>'],
      cc: [],
    }
    const { to, cc } = resolveReplyRecipients(email, ['support@quay.example', 'sales@quay.example'], true)
    expect([...to, ...cc].map(({ address }) => address)).toEqual(['ann@pier.example', 'bo@pier.example'])
  })
})
