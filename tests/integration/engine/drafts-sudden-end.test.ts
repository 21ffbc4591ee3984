import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { eventually } from './support/eventually.ts'
import { openTestEngine } from './support/test-engine.ts'
import { startTestPlatform } from './support/test-platform.ts'

/** `SUDDEN_ENDS=100` ends it as often as was meant. */
const ENDS = Number(process.env.SUDDEN_ENDS ?? 8)
/** Milliseconds that a life lasts at most, once something was taken: long enough for a pause and a request after it. */
const LONGEST_LIFE = 1_600

interface Said {
  readonly word: string
  /** A draft by its subject, and what was written; null where it was thrown away. */
  readonly what: { readonly subject: string; readonly text: string | null }
}

/** Lets the engine live for a while after it has taken something, ends it with SIGKILL, and returns all that it said. */
const liveAndDie = async (args: readonly string[]): Promise<readonly Said[]> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'support', 'restless-writer.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said: Said[] = []
  const lines = createInterface({ input: child.stdout })
  const hasLived = new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      const at = line.indexOf(' ')
      said.push({ word: line.slice(0, at), what: JSON.parse(line.slice(at + 1)) as Said['what'] })
      if (said.some(({ word }) => word === 'taken')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`The engine ended by itself with ${String(code)}.`)))
  })
  const ended = new Promise<void>((resolve) => lines.once('close', resolve))
  await hasLived
  await new Promise((resolve) => setTimeout(resolve, Math.random() * LONGEST_LIFE))
  child.kill('SIGKILL')
  await ended
  return said
}

it(`keeps every draft as last taken, and once on the platform, through ${ENDS} sudden ends, lost answers and errors`, async () => {
  const platform = await startTestPlatform()
  const { inboxId, ask } = platform
  const directory = temporaryDirectory()
  // From then on its inboxes are known, and can be written from.
  const first = await openTestEngine(platform, directory)
  await first.settled()
  await first.close()
  const there = `/inboxes/${inboxId}/drafts`
  /** By subject: what was taken last, and what was asked for after it and cut off. */
  const expected = new Map<string, { taken: string | null | undefined; readonly cut: Set<string | null> }>()
  for (let end = 0; end < ENDS; end += 1) {
    await platform.fault(
      { kind: 'lost', path: there, times: 2, skip: end % 3 },
      { kind: 'error_500', path: there, times: 1, skip: 3 },
    )
    for (const { word, what } of await liveAndDie([platform.baseUrl, platform.apiKey, directory, inboxId])) {
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
    // What was thrown away is listed as the platform's own until its list is read.
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
    // Never taken and not there, or as it was taken, or as it was asked for when the end came.
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
}, 600_000)
