import { measureMailRate } from '../support/mail-rate.ts'
import { startBenchPlatform } from './bench-platform.ts'
import type { Figure } from './figure.ts'
import { LARGE } from './platforms.ts'

const SEARCHERS = 4

/** The local platform searches without an index, and mail must keep arriving in the meantime. */
export const measureServiceSearch = async (): Promise<readonly Figure[]> => {
  const platform = await startBenchPlatform(LARGE, 'off')
  const { alone, beside, searches } = await measureMailRate(platform, {
    searchers: SEARCHERS,
    rounds: 3,
    roundMs: 4000,
  })
  await platform.stop()
  return [
    {
      name: `mail into the local platform beside ${SEARCHERS} searchers, against mail alone`,
      measured: beside / alone,
      unit: '×',
      bound: { kind: 'at least', value: 0.25 },
      note: `${Math.round(beside)} messages/s, alone ${Math.round(alone)}/s, ${searches.toFixed(1)} searches/s; ${LARGE} threads`,
    },
  ]
}
