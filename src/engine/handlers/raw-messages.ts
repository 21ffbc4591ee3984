import { createHash } from 'node:crypto'
import type { BodyOwner, DomainHandlers } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'
import { createProblem } from '../platform/problem.ts'
import { type LineEnding, detectLineEnding, findChunkOffsets, toVisibleSource } from '../sync/visible-source.ts'

/** Raw source that a window reads in pieces. In memory, since loading takes time proportional to its size. */
interface Opened {
  readonly of: string
  readonly version: string
  readonly content: Uint8Array
  readonly lineEnd: LineEnding
  readonly cuts: readonly number[]
}

export const createRawMessageHandlers = ({ current }: AccountAccess): DomainHandlers<'original'> => {
  let opened: Opened | null = null

  const open = async (of: BodyOwner): Promise<Opened> => {
    const { content } = await current().rawMessages.read(of)
    const version = createHash('sha256').update(content).digest('base64url')
    opened = {
      of: JSON.stringify(of),
      version,
      content,
      lineEnd: detectLineEnding(content),
      cuts: findChunkOffsets(content),
    }
    return opened
  }

  return {
    'original.open': async ({ of }) => {
      const { content, version, cuts } = await open(of)
      // Loaded on demand: the charset tables would slow down startup.
      const { parseHeaders: readHeaders } = await import('../sync/parse-headers.ts')
      const { headers, hasMore } = readHeaders(content)
      return { bytes: content.byteLength, pieces: cuts.length - 1, version, headers, hasMoreHeaders: hasMore }
    },
    'original.read': async ({ of, version, place }) => {
      const isOpen = opened?.of === JSON.stringify(of) && opened.version === version
      const original = isOpen && opened !== null ? opened : await open(of)
      const [start, end] = [original.cuts[place], original.cuts[place + 1]]
      if (original.version !== version || start === undefined || end === undefined) {
        throw createProblem('not_found', 'The original of this message has changed. Open it again.')
      }
      if (place === original.cuts.length - 2) opened = null
      return toVisibleSource(original.content, start, end, original.lineEnd)
    },
  }
}
