import type { DomainHandlers, BodyOwner } from '../../shared/contract.ts'
import type { EmailBodies } from '../../shared/model.ts'
import type { BackgroundPart } from '../account-background.ts'
import type { OwnPart } from '../account-own.ts'
import { getBodyChunk, computeBodyVersion } from '../store/separate-bodies.ts'
import { createHash } from 'node:crypto'
import { type LineEnding, detectLineEnding, findChunkOffsets, toVisibleSource } from '../sync/visible-source.ts'
import { createProblem } from '../../shared/result.ts'

/** Raw source that a window reads in pieces. In memory, since loading takes time proportional to its size. */
interface Opened {
  readonly of: string
  readonly version: string
  readonly content: Uint8Array
  readonly lineEnd: LineEnding
  readonly cuts: readonly number[]
}

export const createBodyHandlers = (
  { cache }: OwnPart,
  { rawMessages }: BackgroundPart,
): DomainHandlers<'body'> & DomainHandlers<'original'> => {
  /** The e-mail being read in pieces, remembered because finding it takes time proportional to its size. */
  let inPieces: (Pick<EmailBodies, 'html' | 'text'> & { readonly name: string }) | null = null

  const bodiesOf = (of: BodyOwner): Pick<EmailBodies, 'html' | 'text'> | undefined => {
    if (of.list === 'threads') return cache.emails.bodiesOf(cache.inboxes.require(of.inboxId), of.threadId, of.emailId)
    return of.list === 'received' ? cache.receivedEmails.get(of.emailId) : cache.sentEmails.get(of.emailId)
  }

  const readPiece = (of: BodyOwner, body: 'html' | 'text', version: string, place: number): string | undefined => {
    const name = JSON.stringify([of, version])
    if (inPieces?.name !== name) {
      const whole = bodiesOf(of)
      if (whole === undefined || computeBodyVersion(whole) !== version) return undefined
      inPieces = { name, html: whole.html, text: whole.text }
    }
    const whole = inPieces[body]
    if (getBodyChunk(whole, place + 1) === null) inPieces = null
    return getBodyChunk(whole, place) ?? undefined
  }

  let opened: Opened | null = null

  const open = async (of: BodyOwner): Promise<Opened> => {
    const { content } = await rawMessages.read(of)
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
    'body.read': ({ of, body, version, place }) => {
      const piece = readPiece(of, body, version, place)
      if (piece === undefined)
        throw createProblem('not_found', 'The text of this message is no longer on this computer.')
      return piece
    },
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
