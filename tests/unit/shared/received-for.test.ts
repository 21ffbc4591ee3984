import { describe, expect, it } from 'vitest'
import { answerRecipients } from '../../../src/shared/answer-recipients.ts'
import { unnamedAddresses } from '../../../src/shared/received-for.ts'

describe('the addresses that an e-mail was received for', () => {
  it('are told where its head does not name them, in whatever letters and with whatever behind a plus sign', () => {
    const named = ['Sales <SALES@quay.example>', 'Kim <kim@pier.example>']
    expect(unnamedAddresses(['sales@quay.example', 'desk@quay.example', 'Sales+fair@quay.example'], named)).toEqual([
      'desk@quay.example',
    ])
    expect(unnamedAddresses([], named)).toEqual([])
    expect(unnamedAddresses(['desk@quay.example'], ['undisclosed-recipients:;'])).toEqual(['desk@quay.example'])
  })

  it('get no answer to all', () => {
    const email = {
      ...({ direction: 'inbound', from: 'Ann <ann@pier.example>', replyTo: [] } as const),
      to: ['sales@quay.example', 'Bo <bo@pier.example>'],
      cc: [],
    }
    const { to, cc } = answerRecipients(email, ['support@quay.example', 'sales@quay.example'], true)
    expect([...to, ...cc].map(({ address }) => address)).toEqual(['ann@pier.example', 'bo@pier.example'])
  })
})
