import { describe, expect, it } from 'vitest'
import {
  fillPlaceholders,
  findPlaceholders,
  splitName,
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

describe('a placeholder', () => {
  it('is filled with what is known, wherever it stands', () => {
    expect(fill('Hello {first_name}{first_name|you}, <{email}>')).toBe('Hello AnnAnn, <ann@example.com>')
    expect(fill('{property.company}: {property.seats|0} seats, trial {property.trial|?}')).toBe(
      'Acme: 12 seats, trial false',
    )
  })

  it('has its fallback where nothing is known, which may be no words at all', () => {
    expect(fill('Dear {last_name|customer}{property.vat|, without VAT}{property.none|}')).toBe(
      'Dear customer, without VAT',
    )
    // A name of spaces is none.
    expect(fill('{sender_name|We}')).toBe('We')
  })

  it('stays to be seen where it has no fallback, and where nobody knows it', () => {
    for (const text of ['{last_name}', '{property.vat}', '{frist_name}', '{frist_name|there}', '{constructor}'])
      expect(fill(text)).toBe(text)
    expect(fill('{property.constructor}')).toBe('{property.constructor}')
    expect(findPlaceholders(fill('{last_name}, {frist_name|there} and {last_name}'))).toEqual([
      '{last_name}',
      '{frist_name|there}',
    ])
  })

  it('is filled once: what a value has in braces is text', () => {
    expect(fill('{subject}')).toBe('Your {order}')
  })

  it('is none after a doubled brace, and where the braces hold something else', () => {
    expect(fill('{{first_name} is {first_name}')).toBe('{first_name} is Ann')
    for (const text of ['{}', '{ first_name }', '{"a": 1}', '{1}', '{first name}', 'a } b { c', '{first_name|a\nb}'])
      expect(fill(text)).toBe(text)
  })

  it('is not looked for in the paths of addresses and the variables of scripts', () => {
    expect(findPlaceholders('GET /emails/{id}?key={key} in ${HOME}, {}')).toEqual([])
  })
})

describe('a name', () => {
  it('has a first and a last one, in either order', () => {
    expect(splitName('Ann Lee')).toEqual({ first: 'Ann', last: 'Lee' })
    expect(splitName('Ann Mary Lee')).toEqual({ first: 'Ann', last: 'Lee' })
    expect(splitName('Lee, Ann Mary')).toEqual({ first: 'Ann', last: 'Lee' })
    expect(splitName('Ann')).toEqual({ first: 'Ann', last: null })
  })

  it('is none where it is an address, or nothing', () => {
    for (const name of [null, '  ', 'ann@example.com']) expect(splitName(name)).toEqual({ first: null, last: null })
  })
})
