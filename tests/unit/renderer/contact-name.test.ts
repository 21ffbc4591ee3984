import { describe, expect, it } from 'vitest'
import { formatContactName } from '../../../src/renderer/features/person/contact-name.ts'
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
    expect(formatContactName(contact('Ada', 'Lovelace'))).toBe('Ada Lovelace')
    expect(formatContactName(contact(' ', 'Lovelace'))).toBe('Lovelace')
    expect(formatContactName(contact(null, null))).toBe('ada@people.example')
  })

  it('shows hidden characters, and falls back to the address if nothing is visible', () => {
    expect(formatContactName(contact('Ada\u202ecod', null))).toBe('Ada\ufffdcod')
    expect(formatContactName(contact('\u3164', '\u2800'))).toBe('ada@people.example')
  })
})
