import { expect, it } from 'vitest'
import {
  STORAGE_PERIODS,
  describeStoredMailTotals,
  describeStoragePeriod,
  STORAGE_QUOTAS,
  describeStoredMail,
  findOption,
} from '../../../src/renderer/features/settings/stored-mail.ts'

const NOTHING_TO_SAY = { days: 30, maxBytes: 5e9, left: 3, incomplete: 0, withoutFiles: 0, lost: 0 }

it('shows how much mail is stored, and how much only here', () => {
  expect(describeStoredMailTotals({ kept: 14_203, bytes: 1.2e9, localOnly: 311 })).toBe(
    '14,203 messages stored (1.2 GB), 311 only on this computer.',
  )
  expect(describeStoredMailTotals({ kept: 1, bytes: 2_000, localOnly: 0 })).toBe('1 message stored (2 KB).')
})

it('describes what is complete and what is missing', () => {
  expect(describeStoredMail(NOTHING_TO_SAY)).toEqual([])
  expect(describeStoredMail({ ...NOTHING_TO_SAY, left: 0 })).toEqual(['All mail from the last 30 days is stored.'])
  expect(describeStoredMail({ ...NOTHING_TO_SAY, left: 0, days: null })).toEqual(['All mail is stored.'])
  expect(describeStoredMail({ ...NOTHING_TO_SAY, maxBytes: 0 })).toEqual([
    'Only the text is stored, plus anything you open.',
  ])
  expect(describeStoredMail({ ...NOTHING_TO_SAY, left: 0, withoutFiles: 2, incomplete: 1, lost: 1_000 })).toEqual([
    'Attachment storage is full. Attachments in 2 messages were not stored.',
    'Incomplete: 1 message. The original or an attachment is no longer on the platform.',
    '1,000 messages could not be stored: already deleted from the platform.',
  ])
})

it('names each choice and returns null for other values', () => {
  expect([
    findOption(STORAGE_PERIODS, 365),
    findOption(STORAGE_PERIODS, null),
    findOption(STORAGE_PERIODS, 31),
  ]).toEqual(['365', 'all', null])
  expect([findOption(STORAGE_QUOTAS, 0), findOption(STORAGE_QUOTAS, 5), findOption(STORAGE_QUOTAS, 2)]).toEqual([
    '0',
    '5',
    null,
  ])
  expect([describeStoragePeriod(365), describeStoragePeriod(null), describeStoragePeriod(31)]).toEqual([
    '1 year',
    'Everything',
    '31 days',
  ])
})
