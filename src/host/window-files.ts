import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { escapeHtml } from '../shared/escape-html.ts'
import { STARTUP_RESPONSES_ID } from '../shared/startup-responses.ts'
import type { Preferences } from '../shared/preferences.ts'
import { SNAPSHOT_ID, SNAPSHOT_SHEET_ID } from '../shared/startup-snapshot.ts'
import type { FirstView } from './first-view-file.ts'
import { filterSnapshotStyles } from './snapshot-styles.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.bcmap': 'application/octet-stream',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.pfb': 'application/octet-stream',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

interface StaticFile {
  readonly content: Buffer
  readonly contentType: string
}

const decode = (urlPath: string): string | null => {
  try {
    return decodeURIComponent(urlPath)
  } catch {
    return null
  }
}

/** A file of the window, by URL path. Null if missing, of an unknown type or outside `root`. */
const readStaticFile = async (root: string, urlPath: string): Promise<StaticFile | null> => {
  const path = decode(urlPath)
  const contentType = path === null ? undefined : TYPES[extname(path)]
  if (path === null || contentType === undefined || path.includes('\0')) return null
  const file = normalize(join(root, path))
  if (!file.startsWith(normalize(root) + sep)) return null
  const content = await readFile(file).catch(() => null)
  return content === null ? null : { content, contentType }
}

/** A JSON block for a page. The escape keeps the JSON from closing the element. */
const dataBlock = (id: string, value: unknown): string =>
  `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`

type InitialView = Pick<FirstView, 'answers' | 'snapshot'>

/** Matches a font file of the page with its `unicode-range`. */
const FACES = /url\(([^)]+)\)[^}]*unicode-range:([^}]+)/g

/** Preload links for the fonts that the snapshot's letters need, so the first frame has them. */
const preloads = (page: string, snapshot: string): string => {
  // Every page needs the Latin font. Dropping Latin letters makes searching a snapshot of 100 kB fast.
  const letters = `a${snapshot.replaceAll(/[ -~]+/g, '')}`
  const needed = [...page.matchAll(FACES)].filter(([, , ranges = '']) => {
    const classes = ranges.split(',').map((range) => {
      const [from = '', to = from] = range.replace('U+', '').split('-')
      return `\\u{${from.replaceAll('?', '0')}}-\\u{${to.replaceAll('?', 'F')}}`
    })
    return new RegExp(`[${classes.join('')}]`, 'u').test(letters)
  })
  return needed.map(([, url = '']) => `<link rel="preload" as="font" crossorigin href="${url}">`).join('')
}

const fillPage = (page: string, preferences: Preferences, first: InitialView | null): string => {
  const attributes = {
    'data-theme': preferences.theme,
    'data-density': preferences.density,
    'data-text-size': preferences.textSize,
    'data-font': preferences.font,
    'data-preferences': JSON.stringify(preferences),
  }
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
  const fonts = preferences.font === 'inter' ? preloads(page, first?.snapshot ?? '') : ''
  const filled = page.replace('<html', () => `<html${written.join('')}`).replace('<style>', () => `${fonts}<style>`)
  if (first === null) return filled
  const { answers, snapshot } = first
  // The snapshot is inert and hidden from screen readers, which get the real window. The scripts' data follows it.
  const shown = snapshot === null ? '' : `<div id="${SNAPSHOT_ID}" inert aria-hidden="true">${snapshot}</div>`
  return filled.replace('</body>', () => `${shown}${dataBlock(STARTUP_RESPONSES_ID, answers)}</body>`)
}

const SHEET = /<link rel="stylesheet"[^>]* href="\.\/(assets\/[\w-]+\.css)">/

/** Inlines the snapshot's styles, so painting waits for no file. The window's script enables the complete sheet. */
const inlineStyles = async (root: string, page: string, snapshot: string): Promise<string> => {
  const [link = '', path = ''] = SHEET.exec(page) ?? []
  const sheet = path === '' ? null : await readStaticFile(root, `/${path}`)
  if (sheet === null) return page
  const style = `<style>${filterSnapshotStyles(sheet.content.toString('utf8'), snapshot)}</style>`
  return (
    page
      .replace(link, () => `${style}${link.replace('<link', `<link id="${SNAPSHOT_SHEET_ID}" disabled`)}`)
      // The user may press keys as soon as rows show, so the first script must be listening by then.
      .replace('<script type="module"', '<script type="module" blocking="render"')
  )
}

/** A file of the window, or null. @param first the first view; it contains mail, so not every requester may get it */
export const readWindowFile = async (
  root: string,
  urlPath: string,
  preferences: Preferences,
  first: InitialView | null = null,
): Promise<StaticFile | null> => {
  const file = await readStaticFile(root, urlPath)
  if (file?.contentType.startsWith('text/html') !== true) return file
  const page = file.content.toString('utf8')
  const snapshot = first?.snapshot ?? null
  const styled = snapshot === null ? page : await inlineStyles(root, page, snapshot)
  return { ...file, content: Buffer.from(fillPage(styled, preferences, first)) }
}
