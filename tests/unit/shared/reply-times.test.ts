import { describe, expect, it } from 'vitest'
import { findFirstReply, computeMedian, findOldestUnansweredTime } from '../../../src/shared/reply-times.ts'

describe('first reply time of a thread', () => {
  it('is measured from arrival to the first sent reply, in any order', () => {
    expect(findFirstReply({ received: [50, 10], sent: [70, 30] })).toEqual({ at: 10, took: 20 })
    expect(findFirstReply({ received: [10], sent: [10] })).toEqual({ at: 10, took: 0 })
  })

  it('is null for threads started here or never answered', () => {
    expect(findFirstReply({ received: [50], sent: [10, 70] })).toBeNull()
    expect(findFirstReply({ received: [50], sent: [] })).toBeNull()
    expect(findFirstReply({ received: [], sent: [50] })).toBeNull()
  })
})

it('measures waiting from the first e-mail after the last reply', () => {
  expect(findOldestUnansweredTime({ received: [10, 40, 60], sent: [20, 30] })).toBe(40)
  expect(findOldestUnansweredTime({ received: [60, 10], sent: [] })).toBe(10)
  expect(findOldestUnansweredTime({ received: [10], sent: [20] })).toBeNull()
  expect(findOldestUnansweredTime({ received: [], sent: [] })).toBeNull()
})

it('calculates the median', () => {
  expect(computeMedian([9, 1, 5])).toBe(5)
  expect(computeMedian([9, 1, 5, 7])).toBe(6)
  expect(computeMedian([])).toBeNull()
})
