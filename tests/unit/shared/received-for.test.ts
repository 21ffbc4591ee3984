import { describe, expect, it } from 'vitest'
import { answerRecipients } from '../../../src/shared/answer-recipients.ts'
import { unnamedAddresses } from '../../../src/shared/received-for.ts'

describe('addresses that an e-mail was received for', () => {
  it('are listed if the headers lack them, ignoring case and sub-address', () => {
    const named = ['Sales <SALES@quay.example>', 'Kim <kim@pier.example>']
    expect(unnamedAddresses(['sales@quay.example', 'desk@quay.example', 'Sales+fair@quay.example'], named)).toEqual([
      'desk@quay.example',
    ])
    expect(unnamedAddresses([], named)).toEqual([])
    expect(unnamedAddresses(['desk@quay.example'], ['undisclosed-recipients:;'])).toEqual(['desk@quay.example'])
  })

  it('are left out of reply-all', () => {
    const email = {
      ...({ direction: 'inbound', from: 'Ann <ann@pier.example>', replyTo: [] } as const),
      to: ['sales@quay.example', 'Bo <bo@pier.example>'],
      cc: [],
    }
    const { to, cc } = answerRecipients(email, ['support@quay.example', 'sales@quay.example'], true)
    expect([...to, ...cc].map(({ address }) => address)).toEqual(['ann@pier.example', 'bo@pier.example'])
  })
})
