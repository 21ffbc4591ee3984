import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  assigneeInitials,
  assigneeKey,
  assigneeName,
  assigneeOf,
  assigneesAmong,
  assignmentChange,
  findAssignee,
  isSameAssignee,
  labelNameOfAssignee,
  personOfSender,
} from '../../../src/shared/assignees.ts'
import { LABEL_LIMITS } from '../../../src/shared/model.ts'

const label = (name: string, id = name) => ({ id, name })

describe('the label of a person', () => {
  it('is one that begins with @ and a name, and nothing else', () => {
    expect(['@mara', '@Mara Lind', '@李', ' @mara '].map(assigneeName)).toEqual(['mara', 'Mara Lind', '李', 'mara'])
    for (const name of ['mara', '@', '@ home', '@@mara', 'mara@', '\uff20mara', '@!', '@\u200b', '']) {
      expect([name, assigneeName(name)]).toEqual([name, null])
    }
  })

  it('shows what is hidden in a name, and never what would turn the words around it', () => {
    expect(assigneeName('@ma\u202era')).toBe('ma\ufffdra')
    expect(assigneeName('@a\u0000b')).toBe('a\ufffdb')
  })

  it('is made from a name as mail writes it, within what the platform takes', () => {
    expect(labelNameOfAssignee('Mara Lind')).toBe('@Mara Lind')
    expect(labelNameOfAssignee('  @mara\n ')).toBe('@mara')
    expect(labelNameOfAssignee('Mara “the \u202e"best')).toBe('@Mara “the best')
    expect(labelNameOfAssignee('…')).toBeNull()
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
        const made = labelNameOfAssignee(name)
        fc.pre(made !== null)
        expect(made.length).toBeLessThanOrEqual(LABEL_LIMITS.name)
        expect(made.isWellFormed() || !name.isWellFormed()).toBe(true)
        expect(assigneeName(made)).not.toBeNull()
        // The same person, however often it is made.
        expect(isSameAssignee(labelNameOfAssignee(made) ?? '', made)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})

it('the person in a sender’s name stands before the company', () => {
  expect(
    [
      'Mara at Larkspur',
      'Mara Lind (Larkspur Support)',
      'Theo via Larkspur',
      'Ines | Larkspur',
      'Ada Quill',
      'at sea',
    ].map(personOfSender),
  ).toEqual(['Mara', 'Mara Lind', 'Theo', 'Ines', 'Ada Quill', 'at sea'])
})

describe('people', () => {
  it('are the same in any case and width', () => {
    expect(isSameAssignee('Mara', 'mara')).toBe(true)
    expect(isSameAssignee('@ＭＡＲＡ', 'mara')).toBe(true)
    expect(isSameAssignee('Zoe\u0301', 'zo\u00e9')).toBe(true)
    expect(isSameAssignee('mara', 'mara lind')).toBe(false)
  })

  it('are found among labels, each once with all that stand for them, in one order whatever the order of labels', () => {
    const labels = [label('billing'), label('@theo'), label('@mara', '2'), label('@Mara', '1'), label('@ada')]
    const people = assigneesAmong(labels)
    expect(people.map(({ name }) => name)).toEqual(['ada', 'Mara', 'theo'])
    expect(people[1]?.labels.map(({ id }) => id)).toEqual(['1', '2'])
    fc.assert(
      fc.property(fc.shuffledSubarray(labels, { minLength: labels.length }), (shuffled) => {
        expect(assigneesAmong(shuffled)).toEqual(people)
      }),
    )
    expect(findAssignee('MARA', labels)?.labels.map(({ id }) => id)).toEqual(['1', '2'])
  })

  it('are one on a thread: of two that were put there at the same time everybody sees the first by name', () => {
    expect(assigneeOf([label('billing')])).toBeNull()
    expect(assigneeOf([label('@theo'), label('@mara')])?.name).toBe('mara')
    expect(assigneeOf([label('@mara'), label('@theo')])?.name).toBe('mara')
  })

  it('have initials', () => {
    expect(['mara', 'Mara Lind', '李小龙', 'ada-lovelace'].map(assigneeInitials)).toEqual(['M', 'ML', '李', 'AL'])
  })

  it('are compared by keys that comparing again does not change', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (name) => {
        expect(assigneeKey(assigneeKey(name))).toBe(assigneeKey(name))
      }),
      { numRuns: 2000 },
    )
  })
})

it('assigning puts one label on and takes every other person off', () => {
  const labels = [label('billing'), label('@theo'), label('@mara'), label('@Mara', 'other')]
  expect(assignmentChange(labels, '@mara')).toEqual({ addLabels: ['@mara'], removeLabels: ['@theo', 'other'] })
  expect(assignmentChange(labels, null)).toEqual({ addLabels: [], removeLabels: ['@theo', '@mara', 'other'] })
})
