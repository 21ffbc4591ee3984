/**
 * Prints Linnet's user-visible strings for copy-editing: `npm run strings`, or `npm run strings -- reader outbox` for
 * files with one of these words in their path. Each line has a file, a line number and the string; `{…}` marks a value.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'svelte/compiler'
import { root } from './project.mjs'

export interface FoundString {
  /** 1-based. */
  readonly line: number
  readonly text: string
}

/** Folders whose strings reach a screen or a terminal. The local platform is left out: it writes the demo's mail. */
const SOURCES = 'src/{renderer,shared,host,main,preload,browser,cli,engine}/**/*.{ts,svelte}'
const UNREAD_ATTRIBUTES =
  /^(?:class|style|id|for|href|src|type|role|d|viewBox|points|transform|rel|slot|target|method|name|autocomplete|data-.*)$/
const SQL =
  /^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|WITH|DROP|ALTER|BEGIN|COMMIT|ROLLBACK|ATTACH|DETACH|VACUUM|REPLACE|FROM|WHERE|AND|OR|ORDER|JOIN|LEFT)\b/
/** Matches styles, selectors, types and HTTP headers. */
const CODE = /\p{Cc}|[{}]\s*$|^[#.@[<]|;\s*$|=>|^\S+\/\S+$|^[\w-]+\([^)]*\)$|^[a-z-]+: |^\S*--|\bpx\b|=[^ ]/u
const KEYS =
  /^(?:Enter|Escape|Tab|Space|Home|End|Delete|Backspace|Insert|Page(?:Up|Down)|Arrow\w+|Control|Shift|Alt|Meta|Mod)$/

const collapse = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
const withoutValues = (text: string): string => text.replaceAll('{…}', '')

/** True for text meant for users: two words or more, or one capitalised word. */
const isWords = (text: string): boolean => {
  const words = withoutValues(text)
  if (!/\p{L}{2}/u.test(words) || SQL.test(words) || CODE.test(words.trim()) || KEYS.test(words)) return false
  return /\p{L}\S* +\S*\p{L}/u.test(text) || /^\p{Lu}\p{Ll}+…?$/u.test(words.trim())
}

/** A node of Svelte's syntax tree, which includes ESTree. Only some types have the other members. */
interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly name: string
  readonly data: string
  readonly value: unknown
  readonly nodes: readonly SyntaxNode[]
  readonly quasis: readonly { readonly value: { readonly cooked: string } }[]
}
const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** Strings in these nodes, or in these members of them, are identifiers, types or queries. */
const UNREAD_NODES = /^(?:Comment|TaggedTemplateExpression|Import\w+|TS(?!As|Satisfies|NonNull).*)$/
const UNREAD_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  ExportAllDeclaration: ['source'],
  ExportNamedDeclaration: ['source'],
  MemberExpression: ['property'],
  Property: ['key'],
  TSAsExpression: ['typeAnnotation'],
  TSSatisfiesExpression: ['typeAnnotation'],
}
const READ_ATTRIBUTES = /^(?:aria-(?:label|description|roledescription)|title|alt|placeholder|label|hint|description)$/
const QUERIES = /\b(?:prepare|exec|querySelector|matches|closest)(?:<[^(]*)?\($/

/** User-visible strings of a source file, in line order. */
export const stringsOf = (file: string, source: string): readonly FoundString[] => {
  // Svelte's parser also reads the other modules, as a script.
  const text = file.endsWith('.svelte')
    ? source
    : `<script lang="ts">${source.replaceAll('</script', '<_script')}</script>`
  const found: FoundString[] = []
  const add = (words: string, start: number, isRead: boolean): void => {
    if (isRead) found.push({ line: text.slice(0, start).split('\n').length, text: collapse(words) })
  }
  /** Text and the values in it, as users read it. */
  const join = (parts: readonly SyntaxNode[]): string =>
    parts.map((part) => (part.type === 'Text' ? part.data : '{…}')).join('')

  const visit = (node: SyntaxNode): void => {
    if (UNREAD_NODES.test(node.type)) return
    if (node.type === 'Attribute') {
      if (UNREAD_ATTRIBUTES.test(node.name)) return
      const parts = [node.value].flat().filter(isNode)
      const whole = join(parts)
      const isText = parts.some(({ type }) => type === 'Text') && /\p{L}/u.test(withoutValues(whole))
      add(whole, node.start, isText && (READ_ATTRIBUTES.test(node.name) || isWords(whole)))
    }
    if (node.type === 'Literal' && typeof node.value === 'string') add(node.value, node.start, isWords(node.value))
    if (node.type === 'TemplateLiteral') {
      const whole = node.quasis.map(({ value }) => value.cooked).join('{…}')
      add(whole, node.start, isWords(whole))
    }
    if (node.type === 'Fragment') {
      let run: SyntaxNode[] = []
      for (const child of [...node.nodes, null]) {
        if (child?.type === 'Text' || child?.type === 'ExpressionTag') {
          run.push(child)
          continue
        }
        const [first] = run
        const blank = first?.type === 'Text' ? first.data.length - first.data.trimStart().length : 0
        add(join(run), (first?.start ?? 0) + blank, /\p{L}/u.test(withoutValues(join(run))))
        run = []
      }
    }
    for (const [member, value] of Object.entries(node) as [string, unknown][]) {
      if (UNREAD_MEMBERS[node.type]?.includes(member) === true) continue
      for (const child of [value].flat().filter(isNode)) {
        const isQuery = member === 'arguments' && QUERIES.test(text.slice(node.start, child.start).trim())
        if (!isQuery || !child.type.endsWith('Literal')) visit(child)
      }
    }
  }
  const { instance, module, fragment } = parse(text, { modern: true })
  for (const part of [instance?.content, module?.content, fragment]) if (isNode(part)) visit(part)
  return found.toSorted((one, other) => one.line - other.line)
}

/** User-visible strings by file. @param parts substrings of file paths; all files if empty */
export const allStrings = (parts: readonly string[]): readonly (FoundString & { readonly file: string })[] =>
  globSync(SOURCES, { cwd: root })
    .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
    .toSorted()
    .flatMap((file) => stringsOf(file, readFileSync(join(root, file), 'utf8')).map((found) => ({ file, ...found })))

if (import.meta.main) {
  const strings = allStrings(process.argv.slice(2))
  for (const { file, line, text } of strings) console.log(`${file}:${line}  ${text}`)
  if (strings.length === 0) {
    console.error('No file with a string has one of these words in its path.')
    process.exitCode = 1
  }
}
