import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { FetchedDraft } from '../../../../../src/engine/platform/resources/drafts.ts'
import { updateCopy } from '../../../../../src/engine/mail/writing/draft-copy.ts'
import type { LocalDraft } from '../../../../../src/engine/own/drafts/local-draft.ts'
import type { DraftContent, DraftFile } from '../../../../../src/shared/drafts.ts'
import { temporaryDirectory } from '../../../../support/temporary-directory.ts'

/** A file of three bytes. Only its digest tells it from another one with its name. */
const file = (digest: string): DraftFile => ({
  ...{ id: digest, filename: 'x.csv', contentType: 'text/csv', size: 3, digest, contentId: null, platformId: null },
})

const contentOf = (...files: readonly DraftFile[]): DraftContent => ({
  ...{
    to: [],
    cc: [],
    bcc: [],
    subject: 'Rope',
    format: 'plain',
    html: '',
    text: 'Hi',
    quote: null,
    files: [...files],
  },
})

interface Scene {
  /** Files of the copy as last seen, of the request without a response, and of the draft now. */
  readonly seen: readonly DraftFile[]
  readonly asked: readonly DraftFile[] | null
  readonly now: readonly DraftFile[]
  /** True if the platform got the request. */
  readonly hasArrived: boolean
}

/** Updates the copy as often as the platform answers. @returns the names of files in each request; null for none named */
const requestsOf = async (
  { seen, asked, now, hasArrived }: Scene,
  failures = 0,
): Promise<readonly (number | null)[]> => {
  const directory = temporaryDirectory()
  for (const name of ['a', 'b']) writeFileSync(join(directory, name), 'abc')
  const there = hasArrived ? (asked ?? seen) : seen
  const fetched = {
    ...{ id: 'there', to: [], cc: [], bcc: [], subject: 'Rope', html: null, text: 'Hi', emailId: null },
    updatedAt: hasArrived ? 2 : 1,
    files: there.map(({ filename, contentType, size }) => ({ id: 'f', filename, contentType, size })),
  } as unknown as FetchedDraft
  let draft = {
    ...{ id: 'd', inboxId: 'i', kind: 'new', state: { kind: 'open' }, revision: 3, content: contentOf(...now) },
    platform: { id: 'there', inboxId: 'i', revision: 1, seen: { updatedAt: 1, content: contentOf(...seen) } },
    request: asked && { key: 'k', inboxId: 'i', content: contentOf(...asked), revision: 2, at: 0 },
  } as unknown as LocalDraft
  const requests: (number | null)[] = []
  const context = {
    clock: { now: () => 0 },
    files: {
      bytes: { path: (digest: string) => join(directory, digest) },
      get: () => draft,
      learn: (_: string, learned: Partial<LocalDraft>) => {
        draft = { ...draft, ...learned }
      },
    },
    platform: {
      getDraft: () => Promise.resolve(fetched),
      updateDraft: (...[, , , , files]: readonly [string, string, unknown, unknown, readonly unknown[] | null]) => {
        requests.push(files === null ? null : files.length)
        return requests.length <= failures ? Promise.reject(new Error('busy')) : Promise.resolve()
      },
    },
  } as unknown as Parameters<typeof updateCopy>[0]
  for (let tries = 0; tries <= failures; tries += 1) {
    if (draft.platform === null) throw new Error('There is no copy.')
    await updateCopy(context, draft, draft.platform, {
      priority: 'screen',
      signal: new AbortController().signal,
    }).catch(() => undefined)
  }
  return requests
}

it('takes a file off the copy again if the response that put it there was lost', async () => {
  expect(await requestsOf({ seen: [], asked: [file('a')], now: [], hasArrived: true })).toEqual([0])
})

it('puts a file back if the response that took it off was lost', async () => {
  expect(await requestsOf({ seen: [file('a')], asked: [], now: [file('a')], hasArrived: true })).toEqual([1])
})

it('uploads a file that replaces another of its name and size, also after a failure', async () => {
  expect(await requestsOf({ seen: [file('a')], asked: null, now: [file('b')], hasArrived: false }, 1)).toEqual([1, 1])
})

it('leaves files alone that the copy has', async () => {
  const arrived = { seen: [], asked: [file('a')], now: [file('a')], hasArrived: true }
  expect(await requestsOf(arrived)).toEqual([null])
})
