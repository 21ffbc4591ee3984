import { expect, it, vi } from 'vitest'
import { createBadge, drawBadgeDot } from '../../../src/main/badge.ts'

it('shows the unread count on the dock and the launcher', () => {
  const setBadgeCount = vi.fn()
  const badge = createBadge({ app: { setBadgeCount }, platform: 'darwin', windows: () => [], dot: vi.fn() })
  badge(7)
  badge(0)
  expect(setBadgeCount.mock.calls).toEqual([[7], [0]])
})

it('shows a dot on the task bar buttons of all windows, with a text alternative', () => {
  const setOverlayIcon = vi.fn()
  const windows = [{ setOverlayIcon }, { setOverlayIcon }]
  const dot = vi.fn(() => 'a dot' as never)
  const badge = createBadge({ app: { setBadgeCount: vi.fn() }, platform: 'win32', windows: () => windows, dot })
  badge(1)
  badge(0)
  expect(setOverlayIcon.mock.calls).toEqual([
    ['a dot', '1 unread thread'],
    ['a dot', '1 unread thread'],
    [null, ''],
    [null, ''],
  ])
  expect(dot).toHaveBeenCalledOnce()
})

it('draws a round dot, opaque in the middle and transparent in the corners', () => {
  const pixels = drawBadgeDot()
  const opacityAt = (x: number, y: number) => pixels[(y * 16 + x) * 4 + 3]
  expect(pixels).toHaveLength(16 * 16 * 4)
  expect([opacityAt(8, 8), opacityAt(0, 0), opacityAt(15, 15)]).toEqual([255, 0, 0])
})
