import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { measureNotmuch } from '../../bench/notmuch.ts'

test('notmuch indexes messages and returns a page of threads', async ({ skip }) => {
  const maildir = mkdtempSync(join(tmpdir(), 'linnet-maildir-'))
  onTestFinished(() => rmSync(maildir, { recursive: true }))
  for (const folder of ['cur', 'new', 'tmp']) mkdirSync(join(maildir, folder))
  for (let at = 0; at < 30; at += 1) {
    const head = `From: Ann <ann@example.com>\nTo: inbox@linnet.example\nSubject: Letter ${at}\nMessage-ID: <${at}@tests>`
    const text = at === 7 ? 'red car' : 'car red'
    writeFileSync(join(maildir, 'cur', `${at}:2,S`), `${head}\nDate: Sun, 1 Nov 2026 12:00:00 +0000\n\n${text}\n`)
  }
  const figures = await measureNotmuch(maildir, ['car', '"red car"', 'nowhere'], { page: 20, rounds: 2 })
  if (figures === null) skip('notmuch is not installed')
  expect(figures?.queries.map(({ found }) => found)).toEqual([20, 1, 0])
  expect(figures?.queries.map(({ milliseconds }) => milliseconds.length)).toEqual([2, 2, 2])
  expect(figures?.bytes).toBeGreaterThan(0)
})
