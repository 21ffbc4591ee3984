import { expect, it } from 'vitest'
import { Random } from '../support/random.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { eventually } from '../integration/engine/support/eventually.ts'
import { openSettledEngine, openTestEngine } from '../integration/engine/support/test-engine.ts'
import { startTestPlatform } from '../integration/engine/support/test-platform.ts'
import { counts, SEED } from './support/endurance.ts'
import { hasTaken, runAndKill } from './support/run-and-kill.ts'

const ENDS = counts(8, { least: 2, long: 100 })
/** Maximum number of confirmed changes before a run is killed. The kill follows after a random delay. */
const MAX_TAKEN = 5
/** Maximum delay in milliseconds: long enough for a pause and the request after it. */
const LONGEST_MOMENT = 1_600

interface What {
  readonly subject: string
  readonly text: string | null
}

it(
  'keeps every draft as last confirmed, once on the platform, through kills and errors',
  async () => {
    const platform = await startTestPlatform()
    const { inboxId, ask } = platform
    const directory = temporaryDirectory()
    // After this first run its inboxes are known, so drafts can be written.
    const first = await openSettledEngine(platform, directory)
    await first.close()
    const there = `/inboxes/${inboxId}/drafts`
    /** Drafts by subject: the last confirmed text, and later requests that were cut off. */
    const expected = new Map<string, { taken: string | null | undefined; readonly cut: Set<string | null> }>()
    const random = new Random(SEED)
    for (let end = 0; end < ENDS; end += 1) {
      await platform.fault(
        { kind: 'lost', path: there, times: 2, skip: end % 3 },
        { kind: 'error_500', path: there, times: 1, skip: 3 },
      )
      const args = [SEED + end, platform.baseUrl, platform.apiKey, directory, inboxId]
      const enough = hasTaken(end === ENDS - 1 ? MAX_TAKEN : 1 + random.below(MAX_TAKEN))
      const moment = random.next() * LONGEST_MOMENT
      for (const { word, what } of await runAndKill<string, What>('restless-writer', args, enough, moment)) {
        if (word === 'open') continue
        if (word === 'failed') throw new Error(JSON.stringify(what))
        const known = expected.get(what.subject) ?? { taken: undefined, cut: new Set() }
        expected.set(what.subject, known)
        if (word === 'ask') known.cut.add(what.text)
        else {
          known.taken = what.text
          known.cut.clear()
        }
      }
    }
    await platform.fault()
    const engine = await openTestEngine(platform, directory)
    const drafts = await eventually(
      () => engine.call('draft.list', {}),
      // A discarded draft appears as the platform's own until the platform's list is read.
      (all) => all.every(({ isSynced, hasConflict, isOurs }) => isOurs && (isSynced || hasConflict)),
    )
    expect(await engine.call('problem.list', {})).toEqual([])
    expect(drafts.filter(({ hasConflict }) => hasConflict)).toEqual([])
    const here = new Map<string, { readonly text: string; readonly files: readonly string[] }>()
    for (const { id } of drafts) {
      const { content } = await engine.call('draft.open', { draftId: id })
      expect(here.has(content.subject)).toBe(false)
      here.set(content.subject, { text: content.text, files: content.files.map(({ filename }) => filename) })
      for (const file of content.files) {
        const piece = await engine.call('draft.readFile', { draftId: id, fileId: file.id, place: 0 })
        expect(`${Buffer.from(piece ?? '', 'base64').toString()}.txt`).toBe(file.filename)
      }
    }
    for (const [subject, { taken, cut }] of expected) {
      const text = here.get(subject)?.text ?? null
      // A draft is absent and never confirmed, as last confirmed, or as requested when the kill came.
      if (taken !== text && !(taken === undefined && text === null)) expect([...cut]).toContain(text)
    }
    const onPlatform = await eventually(
      async () => {
        const { data } = await ask<{ readonly data: readonly { readonly id: string }[] }>('GET', `${there}?limit=100`)
        return Promise.all(
          data.map(({ id }) =>
            ask<{
              readonly subject: string
              readonly text: string
              readonly attachments: readonly { readonly filename: string }[]
            }>('GET', `${there}/${id}`),
          ),
        )
      },
      (all) => all.length <= here.size,
    )
    const found = onPlatform.map(({ subject, text, attachments }) => [
      subject,
      { text, files: attachments.map(({ filename }) => filename) },
    ])
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(here))
    expect(found).toHaveLength(here.size)
    expect(expected.size).toBeGreaterThan(2)
  },
  600_000 + ENDS * 15_000,
)
