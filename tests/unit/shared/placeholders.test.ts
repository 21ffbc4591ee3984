import { describe, expect, it } from 'vitest'
import {
  fillPlaceholders,
  findPlaceholders,
  splitDisplayName,
  type PlaceholderValues,
} from '../../../src/shared/placeholders.ts'

const VALUES: PlaceholderValues = {
  first_name: 'Ann',
  last_name: null,
  name: 'Ann',
  email: 'ann@example.com',
  subject: 'Your {order}',
  sender_name: '  ',
  sender_email: 'support@example.com',
  properties: { company: 'Acme', seats: 12, trial: false, vat: null },
}
const fill = (text: string): string => fillPlaceholders(text, VALUES)

describe('placeholder', () => {
  it('is filled with known values anywhere', () => {
    expect(fill('Hello {first_name}{first_name|you}, <{email}>')).toBe('Hello AnnAnn, <ann@example.com>')
    expect(fill('{property.company}: {property.seats|0} seats, trial {property.trial|?}')).toBe(
      'Acme: 12 seats, trial false',
    )
  })

  it('uses its fallback for unknown values, even an empty one', () => {
    expect(fill('Dear {last_name|customer}{property.vat|, without VAT}{property.none|}')).toBe(
      'Dear customer, without VAT',
    )
    // A blank name doesn't count.
    expect(fill('{sender_name|We}')).toBe('We')
  })

  it('stays visible if it has no fallback or is not recognised', () => {
    for (const text of ['{last_name}', '{property.vat}', '{frist_name}', '{frist_name|there}', '{constructor}'])
      expect(fill(text)).toBe(text)
    expect(fill('{property.constructor}')).toBe('{property.constructor}')
    expect(findPlaceholders(fill('{last_name}, {frist_name|there} and {last_name}'))).toEqual([
      '{last_name}',
      '{frist_name|there}',
    ])
  })

  it('is filled once, so braces in values stay text', () => {
    expect(fill('{subject}')).toBe('Your {order}')
  })

  it('is ignored after a double brace or with other content', () => {
    expect(fill('{{first_name} is {first_name}')).toBe('{first_name} is Ann')
    for (const text of ['{}', '{ first_name }', '{"a": 1}', '{1}', '{first name}', 'a } b { c', '{first_name|a\nb}'])
      expect(fill(text)).toBe(text)
  })

  it('is not sought in URL paths or script variables', () => {
    expect(findPlaceholders('GET /emails/{id}?key={key} in ${HOME}, {}')).toEqual([])
  })
})

describe('name', () => {
  it('splits into first and last, in either order', () => {
    expect(splitDisplayName('Ann Lee')).toEqual({ first: 'Ann', last: 'Lee' })
    expect(splitDisplayName('Ann Mary Lee')).toEqual({ first: 'Ann', last: 'Lee' })
    expect(splitDisplayName('Lee, Ann Mary')).toEqual({ first: 'Ann', last: 'Lee' })
    expect(splitDisplayName('Ann')).toEqual({ first: 'Ann', last: null })
  })

  it('is empty for an address or nothing', () => {
    for (const name of [null, '  ', 'ann@example.com'])
      expect(splitDisplayName(name)).toEqual({ first: null, last: null })
  })
})
