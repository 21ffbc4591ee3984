import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readWindowFile } from '../../../src/host/window-files.ts'
import { STARTUP_RESPONSES_ID, type StartupResponse } from '../../../src/shared/startup-responses.ts'
import { DEFAULT_PREFERENCES, type Preferences } from '../../../src/shared/preferences.ts'
import { SNAPSHOT_ID } from '../../../src/shared/startup-snapshot.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

const PAGE = '<!doctype html><html lang="en"><head><title>Linnet</title></head><body></body></html>'

it('embeds the first view as data that can neither run nor end its element', async () => {
  const root = temporaryDirectory()
  writeFileSync(join(root, 'index.html'), PAGE)
  const subject = '</script><!-- <script>alert(1)</script> $& \u2028 </head>'
  const answers: readonly StartupResponse[] = [{ name: 'thread.list', accountId: 'a', input: {}, data: { subject } }]
  const file = await readWindowFile(root, '/index.html', DEFAULT_PREFERENCES, { answers, snapshot: null })
  const page = file?.content.toString('utf8') ?? ''
  const [, block = ''] = page.split(`<script type="application/json" id="${STARTUP_RESPONSES_ID}">`)
  const [json = ''] = block.split('</script>')
  expect(JSON.parse(json)).toEqual(answers)
  expect(json).not.toContain('<')
  expect(page.match(/<script/g)).toHaveLength(1)
  expect(page).toMatch(/<\/script><\/body><\/html>$/)
})

it('embeds the last snapshot, inert', async () => {
  const root = temporaryDirectory()
  writeFileSync(join(root, 'index.html'), PAGE)
  const snapshot = '<div class="row">$& &lt;/body&gt;</div>'
  const file = await readWindowFile(root, '/index.html', DEFAULT_PREFERENCES, { answers: [], snapshot })
  const page = file?.content.toString('utf8') ?? ''
  expect(page).toMatch(/<body><div id="still" inert aria-hidden="true">.*<\/div><script.*<\/script><\/body><\/html>$/)
  expect(page).toContain(`<div id="${SNAPSHOT_ID}" inert aria-hidden="true">${snapshot}</div>`)
})

it('inlines the snapshot’s styles, and otherwise links the style sheet', async () => {
  const root = temporaryDirectory()
  mkdirSync(join(root, 'assets'))
  const link = '<link rel="stylesheet" crossorigin href="./assets/style-a_1.css">'
  writeFileSync(join(root, 'assets', 'style-a_1.css'), 'a::before{content:"$&"}a.svelte-2{top:0}')
  const script = '<script type="module" src="./assets/a.js"></script>'
  writeFileSync(join(root, 'index.html'), PAGE.replace('</head>', `${script}${link}</head>`))
  const pageWith = async (snapshot: string | null) =>
    (await readWindowFile(root, '/index.html', DEFAULT_PREFERENCES, { answers: [], snapshot }))?.content.toString(
      'utf8',
    )
  expect(await pageWith('<p>a</p>')).toContain(
    `<style>a::before{content:"$&"}</style>${link.replace('link', 'link id="sheet" disabled')}</head>`,
  )
  expect(await pageWith('<p>a</p>')).not.toContain(link)
  // Keys are handled from the first frame on.
  expect(await pageWith('<p>a</p>')).toContain('<script type="module" blocking="render" src="./assets/a.js">')
  expect(await pageWith(null)).toContain(`${script}${link}`)
  rmSync(join(root, 'assets'), { recursive: true })
  expect(await pageWith('<p>a</p>')).toContain(link)
})

it('preloads the fonts of its first letters, unless the system’s font is chosen', async () => {
  const root = temporaryDirectory()
  const faces = [
    ['latin', 'U+??,U+2000-206F'],
    ['greek', 'U+370-377,U+1F??'],
    ['latin-ext', 'U+100-2BA,U+20AD'],
  ].map(([name, range]) => `@font-face{src:url(./assets/${name}.woff2)format("woff2");unicode-range:${range}}`)
  writeFileSync(join(root, 'index.html'), PAGE.replace('</head>', `<style>${faces.join('')}</style></head>`))
  const loadedBy = async (snapshot: string | null, font: Preferences['font'] = 'inter') => {
    const first = snapshot === null ? null : { answers: [], snapshot }
    const file = await readWindowFile(root, '/index.html', { ...DEFAULT_PREFERENCES, font }, first)
    const page = file?.content.toString('utf8') ?? ''
    expect(page).toContain(` data-font="${font}"`)
    expect(page.lastIndexOf('<link')).toBeLessThan(page.indexOf('<style>'))
    return [...page.matchAll(/<link rel="preload" as="font" crossorigin href="\.\/assets\/([\w-]+)/g)].map(
      ([, name]) => name,
    )
  }
  expect(await loadedBy(null)).toEqual(['latin'])
  expect(await loadedBy('<p>Noël – 5 €</p>')).toEqual(['latin'])
  expect(await loadedBy('<p>ᾧ</p>')).toEqual(['latin', 'greek'])
  expect(await loadedBy('<p>Łódź, Ͱ</p>')).toEqual(['latin', 'greek', 'latin-ext'])
  expect(await loadedBy('<p>Łódź</p>', 'system')).toEqual([])
})

it('embeds nothing for a window that waits for the host', async () => {
  const root = temporaryDirectory()
  writeFileSync(join(root, 'index.html'), PAGE)
  const file = await readWindowFile(root, '/index.html', DEFAULT_PREFERENCES)
  expect(file?.content.toString('utf8')).not.toContain('<script')
})
