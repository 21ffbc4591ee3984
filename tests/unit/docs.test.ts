import { existsSync, globSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const docs = join(root, 'docs')

const pages = (await readdir(docs)).filter((name) => name.endsWith('.md')).map((name) => join(docs, name))
const packagePages = globSync('packages/**/*.md', { cwd: root, exclude: ['**/node_modules'] })
const all = [
  ...pages,
  ...packagePages.map((name) => join(root, name)),
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'].map((name) => join(root, name)),
]
const texts = new Map(await Promise.all(all.map(async (file) => [file, await readFile(file, 'utf8')] as const)))

/** Relative to the project's folder, with `/` separators. */
const filesIn = (pattern: string): readonly string[] =>
  globSync(pattern, { cwd: root }).map((file) => file.replaceAll('\\', '/'))
const sources = filesIn('{src,packages/*/src}/**/*.{ts,svelte}')

const textOf = (file: string): string => texts.get(file) ?? ''
const nameOf = (file: string): string => relative(root, file)

const proseOf = (file: string): string =>
  textOf(file)
    .replace(/^```.*?^```/gms, '')
    .replace(/`[^`\n]+`/g, '')

const targetsOf = (file: string): readonly string[] => {
  const prose = proseOf(file)
  const found = [...prose.matchAll(/\]\(([^)\s]+)\)/g), ...prose.matchAll(/\b(?:src|srcset|href)="([^"\s]+)"/g)]
  return found.flatMap(([, target]) => (target === undefined || /^[a-z]+:/.test(target) ? [] : [target]))
}

/** Heading anchors, as code hosts generate them. */
const anchorsOf = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )

const resolve = (file: string, target: string): { readonly path: string; readonly anchor: string | undefined } => {
  const [path = '', anchor] = target.split('#')
  return { path: path === '' ? file : join(dirname(file), path), anchor }
}

describe('the documentation', () => {
  it.each(all.map((file) => [nameOf(file), file] as const))('%s leads nowhere that is not there', (_name, file) => {
    const broken = targetsOf(file).filter((target) => {
      const { path, anchor } = resolve(file, target)
      return !existsSync(path) || (anchor !== undefined && !anchorsOf(textOf(path)).has(anchor))
    })
    expect(broken).toEqual([])
  })

  it('names only existing source files in its walkthroughs', () => {
    const text = textOf(join(docs, 'architecture.md'))
    const codePaths = /^## Code paths$(.*?)^## /ms.exec(text)?.[1] ?? ''
    const named = [...codePaths.matchAll(/`([\w/-]+)`/g)]
      .map(([, name = '']) => name)
      .filter((name) => name !== 'handlers')
    expect(named.length).toBeGreaterThan(60)
    const isThere = (name: string): boolean =>
      sources.some((file) => file.replace(/(?:\.svelte)?(?:\.ts)?$/, '').endsWith(`/${name}`))
    expect(named.filter((name) => !isThere(name))).toEqual([])
  })

  it('links every page from the README', () => {
    const readme = join(root, 'README.md')
    const linked = new Set(targetsOf(readme).map((target) => resolve(readme, target).path))
    expect(pages.filter((page) => !linked.has(page)).map(nameOf)).toEqual([])
  })

  it('shows every stored picture, and keeps them small', async () => {
    const folder = join(docs, 'pictures')
    const kept = (await readdir(folder)).map((name) => join(folder, name))
    const shown = new Set(all.flatMap((file) => targetsOf(file).map((target) => resolve(file, target).path)))
    expect(kept.filter((file) => !shown.has(file)).map(nameOf)).toEqual([])
    const sizes = await Promise.all(kept.map(async (file) => (await stat(file)).size))
    expect(Math.max(...sizes)).toBeLessThan(100_000)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_000_000)
  })

  it('has alt text for each picture', () => {
    const silent = all.filter((file) =>
      [...textOf(file).matchAll(/<img\b[^>]*>/g)].some(([tag]) => !tag.includes(' alt="')),
    )
    expect(silent.map(nameOf)).toEqual([])
  })
})

describe('the platform page', async () => {
  const page = textOf(join(docs, 'platform.md'))
  const sections = [...page.matchAll(/^## (\d+) /gm)].map(([, section = '']) => section)
  const points = [...page.matchAll(/^- \*\*(\d+\.\d+)\*\* /gm)].map(([, point = '']) => point)

  const code = [...sources, ...filesIn('{tests,scripts,packages/*/tests}/**/*.{ts,svelte,mjs,js}')].filter(
    (file) => file !== 'tests/unit/docs.test.ts',
  )
  const cited = new Map([
    ...[...texts].map(([file, text]) => [nameOf(file), text] as const),
    ...(await Promise.all(code.map(async (file) => [file, await readFile(join(root, file), 'utf8')] as const))),
  ])
  // A comment may break the line within a citation.
  const linesJoined = (text: string): string => text.replace(/\n\s*(?:\*(?!\/)|\/\/|--)? ?/g, ' ')

  it('numbers its points in order, by section', () => {
    expect(sections).toEqual(sections.map((_, index) => `${index + 1}`))
    const counts = new Map<string, number>()
    const expected = points.map((point) => {
      const [section = ''] = point.split('.')
      const count = (counts.get(section) ?? 0) + 1
      counts.set(section, count)
      return `${section}.${count}`
    })
    expect(points).toEqual(expected)
    expect([...counts.keys()]).toEqual(sections)
  })

  it('has each cited point', () => {
    const known = new Set([...sections, ...points])
    const citations = [...cited].flatMap(([file, text]) =>
      [...linesJoined(text).matchAll(/platform\.md (\d+(?:\.\d+)?(?:(?:,? and |, | to )\d+(?:\.\d+)?)*)/g)].flatMap(
        ([, numbers = '']) => (numbers.match(/\d+(?:\.\d+)?/g) ?? []).map((number) => [file, number] as const),
      ),
    )
    expect(citations.length).toBeGreaterThan(300)
    expect(citations.filter(([, number]) => !known.has(number))).toEqual([])
  })

  it('replaces every document that is not in the repository', () => {
    const foreign =
      /platform facts|\bui\.md|search-choices|\bcontract, (?:"|\d|Search threads|Thread|Limits|Errors|Label)/i
    expect([...cited].filter(([, text]) => foreign.test(linesJoined(text))).map(([file]) => file)).toEqual([])
  })
})
