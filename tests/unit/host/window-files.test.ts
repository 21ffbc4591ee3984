import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readWindowFile } from '../../../src/host/window-files.ts'
import { FIRST_ANSWERS_ID, type FirstAnswer } from '../../../src/shared/first-answers.ts'
import { DEFAULT_PREFERENCES } from '../../../src/shared/preferences.ts'
import { STILL_ID } from '../../../src/shared/still.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

const PAGE = '<!doctype html><html lang="en"><head><title>Linnet</title></head><body></body></html>'

it('the page holds what a window shows first as data, of which nothing runs or ends it', async () => {
  const root = temporaryDirectory()
  writeFileSync(join(root, 'index.html'), PAGE)
  const subject = '</script><!-- <script>alert(1)</script> $& \u2028 </head>'
  const answers: readonly FirstAnswer[] = [{ name: 'thread.list', accountId: 'a', input: {}, data: { subject } }]
  const file = await readWindowFile(root, '/index.html', DEFAULT_PREFERENCES, { answers, still: null })
  const page = file?.content.toString('utf8') ?? ''
  const [, block = ''] = page.split(`<script type="application/json" id="${FIRST_ANSWERS_ID}">`)
  const [json = ''] = block.split('</script>')
  expect(JSON.parse(json)).toEqual(answers)
  expect(json).not.toContain('<')
  expect(page.match(/<script/g)).toHaveLength(1)
  expect(page).toMatch(/<\/script><\/head><body><\/body><\/html>$/)
})

it('the page holds what was drawn of it last, where nothing answers', async () => {
  const root = temporaryDirectory()
  writeFileSync(join(root, 'index.html'), PAGE)
  const still = '<div class="row">$& &lt;/body&gt;</div>'
  const file = await readWindowFile(root, '/index.html', DEFAULT_PREFERENCES, { answers: [], still })
  const page = file?.content.toString('utf8') ?? ''
  expect(page).toMatch(/<body><div id="still" inert aria-hidden="true">.*<\/div><\/body><\/html>$/)
  expect(page).toContain(`<div id="${STILL_ID}" inert aria-hidden="true">${still}</div>`)
})

it('a page for a window that waits for the host has none', async () => {
  const root = temporaryDirectory()
  writeFileSync(join(root, 'index.html'), PAGE)
  const file = await readWindowFile(root, '/index.html', DEFAULT_PREFERENCES)
  expect(file?.content.toString('utf8')).not.toContain('<script')
})
