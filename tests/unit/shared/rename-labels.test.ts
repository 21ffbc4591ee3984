import { describe, expect, it } from 'vitest'
import { parseSearch } from '../../../src/shared/search/parse-search.ts'
import { renameLabelsInSearch } from '../../../src/shared/search/rename-labels.ts'

const label = (id: string, name: string) => ({ id, name, color: '#E93D82' })
const BEFORE = [label('l1', 'Bills'), label('l2', 'Two words'), label('l3', 'Harbour')]
const CLOCK = { now: Date.UTC(2026, 10, 20), timeZone: 'UTC' }
const idsOf = (text: string, labels: typeof BEFORE): readonly string[] =>
  parseSearch(text, { ...CLOCK, labels }).filter.labelIds

describe('search with renamed labels', () => {
  it('keeps the same labels under their new names and everything else as typed', () => {
    const now = [label('l1', 'Paid, at last'), label('l2', 'One'), label('l3', 'Harbour')]
    for (const [text, wanted] of [
      ['label:bills', 'label:"Paid, at last"'],
      ['  is:unread  LABEL:"two words" , x', '  is:unread  LABEL:One , x'],
      ['label:(Bills, "Two words" OR harbour', 'label:("Paid, at last", One OR harbour'],
      [
        'label:bills,harbour bills "label:bills" -label:x',
        'label:"Paid, at last",harbour bills "label:bills" -label:x',
      ],
      ['label:l1 label:gone from:bills', 'label:l1 label:gone from:bills'],
    ] as const) {
      expect(renameLabelsInSearch(text, BEFORE, now)).toBe(wanted)
      expect(idsOf(wanted, now)).toEqual(idsOf(text, BEFORE))
    }
  })

  it('follows swapped names and new IDs, and keeps deleted labels', () => {
    const swapped = [label('l1', 'Harbour'), label('l2', 'Two words'), label('l3', 'Bills')]
    expect(renameLabelsInSearch('label:(bills, harbour)', BEFORE, swapped)).toBe('label:(Harbour, Bills)')
    const replaced = [label('p1', 'Invoices')]
    expect(renameLabelsInSearch('label:bills label:harbour', BEFORE, replaced, (id) => (id === 'l1' ? 'p1' : id))).toBe(
      'label:Invoices label:harbour',
    )
  })

  it('uses the ID of a label whose name can’t be typed', () => {
    expect(renameLabelsInSearch('label:bills', BEFORE, [label('l1', 'The "best"')])).toBe('label:l1')
  })
})
