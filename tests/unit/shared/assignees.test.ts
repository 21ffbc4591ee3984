import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  toAssigneeInitials,
  toAssigneeKey,
  parseAssigneeName,
  assigneeOf,
  collectAssignees,
  buildAssignmentChange,
  findAssignee,
  isSameAssignee,
  toAssigneeLabelName,
  extractPersonName,
} from '../../../src/shared/assignees.ts'
import { LABEL_LIMITS } from '../../../src/shared/model.ts'

const label = (name: string, id = name) => ({ id, name })

describe('label of a person', () => {
  it('starts with @ followed by a name', () => {
    expect(['@mara', '@Mara Lind', '@李', ' @mara '].map(parseAssigneeName)).toEqual([
      'mara',
      'Mara Lind',
      '李',
      'mara',
    ])
    for (const name of ['mara', '@', '@ home', '@@mara', 'mara@', '\uff20mara', '@!', '@\u200b', '']) {
      expect([name, parseAssigneeName(name)]).toEqual([name, null])
    }
  })

  it('shows hidden characters in a name as replacement characters', () => {
    expect(parseAssigneeName('@ma\u202era')).toBe('ma\ufffdra')
    expect(parseAssigneeName('@a\u0000b')).toBe('a\ufffdb')
  })

  it('is built from a sender’s name within the platform’s limits', () => {
    expect(toAssigneeLabelName('Mara Lind')).toBe('@Mara Lind')
    expect(toAssigneeLabelName('  @mara\n ')).toBe('@mara')
    expect(toAssigneeLabelName('Mara “the \u202e"best')).toBe('@Mara “the best')
    expect(toAssigneeLabelName('…')).toBeNull()
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
        const made = toAssigneeLabelName(name)
        fc.pre(made !== null)
        expect(made.length).toBeLessThanOrEqual(LABEL_LIMITS.name)
        expect(made.isWellFormed() || !name.isWellFormed()).toBe(true)
        expect(parseAssigneeName(made)).not.toBeNull()
        // Building the name again yields the same person.
        expect(isSameAssignee(toAssigneeLabelName(made) ?? '', made)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})

it('separates the person in a sender’s name from the company', () => {
  expect(
    [
      'Mara at Larkspur',
      'Mara Lind (Larkspur Support)',
      'Theo via Larkspur',
      'Ines | Larkspur',
      'Ada Quill',
      'at sea',
    ].map(extractPersonName),
  ).toEqual(['Mara', 'Mara Lind', 'Theo', 'Ines', 'Ada Quill', 'at sea'])
})

describe('people', () => {
  it('ignore case and width in comparisons', () => {
    expect(isSameAssignee('Mara', 'mara')).toBe(true)
    expect(isSameAssignee('@ＭＡＲＡ', 'mara')).toBe(true)
    expect(isSameAssignee('Zoe\u0301', 'zo\u00e9')).toBe(true)
    expect(isSameAssignee('mara', 'mara lind')).toBe(false)
  })

  it('are found among labels once each, in a stable order', () => {
    const labels = [label('billing'), label('@theo'), label('@mara', '2'), label('@Mara', '1'), label('@ada')]
    const people = collectAssignees(labels)
    expect(people.map(({ name }) => name)).toEqual(['ada', 'Mara', 'theo'])
    expect(people[1]?.labels.map(({ id }) => id)).toEqual(['1', '2'])
    fc.assert(
      fc.property(fc.shuffledSubarray(labels, { minLength: labels.length }), (shuffled) => {
        expect(collectAssignees(shuffled)).toEqual(people)
      }),
    )
    expect(findAssignee('MARA', labels)?.labels.map(({ id }) => id)).toEqual(['1', '2'])
  })

  it('are one per thread, and everyone sees the first by name', () => {
    expect(assigneeOf([label('billing')])).toBeNull()
    expect(assigneeOf([label('@theo'), label('@mara')])?.name).toBe('mara')
    expect(assigneeOf([label('@mara'), label('@theo')])?.name).toBe('mara')
  })

  it('have initials', () => {
    expect(['mara', 'Mara Lind', '李小龙', 'ada-lovelace'].map(toAssigneeInitials)).toEqual(['M', 'ML', '李', 'AL'])
  })

  it('are compared by stable keys', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (name) => {
        expect(toAssigneeKey(toAssigneeKey(name))).toBe(toAssigneeKey(name))
      }),
      { numRuns: 2000 },
    )
  })
})

it('adds one label and removes all other assignees', () => {
  const labels = [label('billing'), label('@theo'), label('@mara'), label('@Mara', 'other')]
  expect(buildAssignmentChange(labels, '@mara')).toEqual({ addLabels: ['@mara'], removeLabels: ['@theo', 'other'] })
  expect(buildAssignmentChange(labels, null)).toEqual({ addLabels: [], removeLabels: ['@theo', '@mara', 'other'] })
})
