import { describe, expect, it } from 'vitest'
import type { DraftContent } from '../../../../../src/shared/drafts.ts'
import { LARGE_BODY_BYTES } from '../../../../../src/engine/platform/outgoing-body.ts'
import { toUnreachableError, type UnreachableError } from '../../../../../src/engine/platform/platform-problem.ts'
import type { CallOptions } from '../../../../../src/engine/platform/requests.ts'
import {
  addUploadFailure,
  DraftTransfers,
  TransferStoppedError,
  resetUploadAttempts,
} from '../../../../../src/engine/mail/writing/draft-transfers.ts'
import { type FailedUploads, hasGivenUp } from '../../../../../src/engine/own/drafts/local-draft.ts'
import { createSteppedClock } from '../../../../support/stepped-clock.ts'

const BYTES = 3_000_000
/** Size of a request in bytes: base64, plus a small overhead. */
const REQUEST = 4_000_200

const contentOf = (size: number): DraftContent => ({
  ...{ to: [], cc: [], bcc: [], subject: '', format: 'plain', html: '', text: 'Here', quote: null },
  files: [
    {
      ...{ id: 'file-1', filename: 'plans.pdf', contentType: 'application/pdf', size },
      ...{ digest: 'a'.repeat(64), contentId: null, platformId: null },
    },
  ],
})
const DRAFT = { id: 'draft-1', inboxId: 'inbox-1', content: contentOf(BYTES) }

const begin = () => {
  const clock = createSteppedClock()
  const told: (readonly string[])[] = []
  const ending = new AbortController()
  const transfers = new DraftTransfers((inboxIds) => told.push(inboxIds), clock, ending.signal)
  let given: CallOptions | undefined
  let end: (thrown?: Error) => void = () => undefined
  const work = transfers.run(DRAFT, { priority: 'screen', signal: ending.signal }, (options) => {
    given = options
    return new Promise<string>((resolve, reject) => {
      options.signal.addEventListener('abort', () => reject(options.signal.reason as Error))
      end = (thrown) => (thrown === undefined ? resolve('made') : reject(thrown))
    })
  })
  work.catch(() => undefined)
  const goOn = (done: number, total = REQUEST): void => given?.progress?.(done, total)
  return {
    clock,
    told,
    transfers,
    work,
    goOn,
    end: (thrown?: Error) => end(thrown),
    far: () => transfers.progressOf('draft-1'),
  }
}

describe('a large message being sent', () => {
  it('reports its progress once it takes a while, in bytes of its files', async () => {
    const { clock, goOn, far, end, work } = begin()
    expect(far()).toBeNull()
    goOn(16_384)
    await clock.advance(1_999)
    goOn(REQUEST / 4)
    expect(far()).toBeNull()
    await clock.advance(1)
    goOn(REQUEST / 2)
    expect(far()).toEqual({ done: BYTES / 2, total: BYTES })
    end()
    expect(await work).toBe('made')
    expect(far()).toBeNull()
  })

  it('notifies twice a second at most, and once more at the end', async () => {
    const { clock, told, goOn, end, work } = begin()
    for (let piece = 1; piece <= 200; piece += 1) {
      goOn(piece * 16_384)
      await clock.advance(50)
    }
    // The upload takes ten seconds; the first two aren't reported.
    expect(told.length).toBeGreaterThan(10)
    expect(told.length).toBeLessThanOrEqual(16)
    expect(told.at(-1)).toEqual(['inbox-1'])
    const before = told.length
    end()
    await work
    await clock.advance(10_000)
    expect(told.length - before).toBeLessThanOrEqual(2)
    expect(told.length).toBeGreaterThan(before)
  })

  it('reports nothing if it is small', async () => {
    const { clock, told, goOn, far } = begin()
    goOn(200_000, LARGE_BODY_BYTES - 1)
    await clock.advance(60_000)
    goOn(300_000, LARGE_BODY_BYTES - 1)
    await clock.advance(60_000)
    expect({ told, far: far() }).toEqual({ told: [], far: null })
  })

  it('can be stopped until all of it has been handed over', async () => {
    const { clock, transfers, work, goOn, far } = begin()
    expect(transfers.stop('draft-1')).toBe(false)
    goOn(REQUEST)
    expect(transfers.stop('draft-1')).toBe(false)
    // A retry over another connection: the first attempt may have arrived.
    goOn(16_384)
    await clock.advance(3_000)
    expect(far()).not.toBeNull()
    expect(transfers.stop('draft-1')).toBe(true)
    await expect(work).rejects.toMatchObject({ name: 'TransferStoppedError', mayHaveArrived: true })
    expect(far()).toBeNull()
  })
})

describe('failed attempts', () => {
  const broke = (done: number, total = REQUEST): UnreachableError =>
    toUnreachableError(Object.assign(new Error('closed'), { code: 'UND_ERR_SOCKET' }), true, { done, total })
  const after = (thrown: readonly unknown[], first?: FailedUploads): FailedUploads | undefined =>
    thrown.reduce<FailedUploads | undefined>(
      (broken, each) => addUploadFailure(each, { ...DRAFT, broken }) ?? broken,
      first,
    )

  it('leave the decision to the user after two', () => {
    const once = after([broke(2_000_000)])
    expect(hasGivenUp({ ...DRAFT, broken: once })).toBe(false)
    const twice = after([broke(2_000_000), broke(16_384)])
    expect(twice).toEqual({ bytes: BYTES, tries: 2, mayHaveArrived: false })
    expect(hasGivenUp({ ...DRAFT, broken: twice })).toBe(true)
    expect(hasGivenUp({ content: contentOf(2), broken: twice })).toBe(false)
    const anew = resetUploadAttempts({ broken: twice })
    expect(hasGivenUp({ ...DRAFT, ...anew })).toBe(false)
    expect(after([broke(1), broke(1)], anew.broken)).toEqual(twice)
  })

  it('don’t count if nothing was sent, it is small, or the line isn’t at fault', () => {
    const others = [
      broke(0),
      broke(5_000, LARGE_BODY_BYTES - 1),
      toUnreachableError(new Error('x')),
      new Error('The disk is full.'),
    ]
    expect(after(others)).toBeUndefined()
  })

  it('may have arrived if one was sent completely', () => {
    expect(broke(REQUEST - 1).mayHaveArrived).toBe(false)
    expect(broke(REQUEST).mayHaveArrived).toBe(true)
    expect(after([broke(REQUEST), broke(5_000)])?.mayHaveArrived).toBe(true)
  })

  it('are given up at once when the user stops them', () => {
    const broken = after([new TransferStoppedError(false)])
    expect(hasGivenUp({ ...DRAFT, broken })).toBe(true)
  })
})
