import { describe, expect, it } from 'vitest'
import { contactName } from '../../../src/renderer/features/person/contact-name.ts'
import type { Contact } from '../../../src/shared/people.ts'

const contact = (firstName: string | null, lastName: string | null): Contact => ({
  id: 'contact-1',
  email: 'ada@people.example',
  firstName,
  lastName,
  createdAt: 0,
  unsubscribed: false,
  properties: {},
})

describe('contact name', () => {
  it('joins the names that exist, or falls back to the address', () => {
    expect(contactName(contact('Ada', 'Lovelace'))).toBe('Ada Lovelace')
    expect(contactName(contact(' ', 'Lovelace'))).toBe('Lovelace')
    expect(contactName(contact(null, null))).toBe('ada@people.example')
  })

  it('shows hidden characters, and falls back to the address if nothing is visible', () => {
    expect(contactName(contact('Ada\u202ecod', null))).toBe('Ada\ufffdcod')
    expect(contactName(contact('\u3164', '\u2800'))).toBe('ada@people.example')
  })
})
