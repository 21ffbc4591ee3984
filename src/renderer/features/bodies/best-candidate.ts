import { sourcesIn } from '../../../shared/remote-address.ts'
import { remoteAddress } from './remote-address.ts'

/** Candidates of a `srcset` that are looked at. */
const MOST_CANDIDATES = 50
/** Pixels of the screen for each of the letter: more is not seen. */
const DENSEST = 2
/** Pixels across: more than any letter is wide on a dense screen. */
const WIDEST = 1_600

/** How good a candidate is: the larger the better up to what can be seen, beyond it the smaller the better. */
const worthOf = (descriptor: string): number => {
  const [, size = '1', unit = 'x'] = /^(\d+(?:\.\d+)?)([wx])$/.exec(descriptor) ?? []
  const part = Number(size) / (unit === 'w' ? WIDEST : DENSEST)
  return part <= 1 ? part : 1 / part
}

/** The best candidate of a `srcset` that is elsewhere. */
export const bestCandidate = (srcset: string): string | null => {
  const candidates = sourcesIn(srcset)
    .slice(0, MOST_CANDIDATES)
    .flatMap(({ written, descriptor }) => {
      const address = remoteAddress(written)
      return address === null ? [] : [{ address, worth: worthOf(descriptor === '' ? '1x' : descriptor) }]
    })
  return candidates.toSorted((a, b) => b.worth - a.worth)[0]?.address ?? null
}
