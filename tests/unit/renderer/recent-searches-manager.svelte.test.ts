import { describe, expect, it } from 'vitest'
import { RecentSearchesManager } from '../../../src/renderer/features/search/saved-searches-manager.svelte.ts'
import { createBackend } from '../../../src/renderer/kernel/backend.ts'
import { ToastManager } from '../../../src/renderer/kernel/toast-manager.svelte.ts'
import { ProblemError } from '../../../src/shared/result.ts'
import { createFixtureTransport } from './support/fixture-transport.ts'
import { until } from './support/until.ts'

const open = async (isDiskFull = false) => {
  let kept = ['fog', 'paint']
  const transport = createFixtureTransport({
    handlers: {
      'recentSearch.list': () => kept.map((text) => ({ text })),
      'recentSearch.clear': () => {
        if (isDiskFull) throw new ProblemError({ code: 'storage_failed', message: 'The disk is full.' })
        kept = []
        return null
      },
    },
  })
  const toasts = new ToastManager()
  const manager = new RecentSearchesManager(createBackend(transport), toasts)
  await manager.load()
  const texts = (): readonly string[] => manager.searches.map(({ text }) => text)
  const keep = (text: string): void => {
    kept = [text, ...kept]
    transport.emit({ name: 'recentSearches.changed', payload: null })
  }
  return { manager, toasts, texts, keep }
}

describe('recent searches', () => {
  it('come from the account, including other windows', async () => {
    const { texts, keep } = await open()
    expect(texts()).toEqual(['fog', 'paint'])
    keep('gull')
    await until(() => texts().length === 3)
    expect(texts()).toEqual(['gull', 'fog', 'paint'])
  })

  it('disappear when cleared, unless clearing fails', async () => {
    const { manager, texts } = await open()
    await manager.clear()
    expect(texts()).toEqual([])
    const full = await open(true)
    await full.manager.clear()
    expect(full.texts()).toEqual(['fog', 'paint'])
    expect(full.toasts.toasts.map(({ text }) => text)).toEqual(['The disk is full.'])
  })
})
