/**
 * Prints Linnet's user-visible strings for copy-editing: `npm run strings`, or `npm run strings -- reader outbox` for
 * files with one of these words in their path. Each line has a file, a line number and the string; `{…}` marks a value.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'svelte/compiler'
import ts from 'typescript'
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

/** Syntax positions whose strings are identifiers. */
const isOfCode = (node: ts.Node): boolean => {
  const { parent } = node
  return (
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    ts.isLiteralTypeNode(parent) ||
    ts.isTaggedTemplateExpression(parent) ||
    ts.isElementAccessExpression(parent) ||
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    (ts.isCallExpression(parent) &&
      /\b(?:prepare|exec|querySelector|matches|closest)\b/.test(parent.expression.getText()))
  )
}

const textOf = (node: ts.Node): string | null => {
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isTemplateExpression(node)) return null
  return node.head.text + node.templateSpans.map(({ literal }) => `{…}${literal.text}`).join('')
}

const inTypeScript = (source: string, firstLine: number): readonly FoundString[] => {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true)
  const visit = (node: ts.Node): readonly FoundString[] => {
    const text = node === file || isOfCode(node) ? null : textOf(node)
    const line = firstLine + file.getLineAndCharacterOfPosition(node.getStart(file)).line
    const here = text !== null && isWords(text) ? [{ line, text: collapse(text) }] : []
    const below: FoundString[] = []
    if (!ts.isTaggedTemplateExpression(node) && !ts.isTypeNode(node))
      ts.forEachChild(node, (child) => void below.push(...visit(child)))
    return [...here, ...below]
  }
  return visit(file)
}

interface MarkupNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly name: string
  /** Only on text nodes. */
  readonly data: string
  /** Only on attribute nodes. */
  readonly value: true | MarkupNode | readonly MarkupNode[]
  readonly expression: MarkupNode
  /** Only on fragment nodes. */
  readonly nodes: readonly MarkupNode[]
  /** Only on script nodes. */
  readonly content: MarkupNode
}
const isNode = (value: unknown): value is MarkupNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const inComponent = (source: string): readonly FoundString[] => {
  const tree = parse(source, { modern: true })
  const lineAt = (offset: number): number => source.slice(0, offset).split('\n').length
  const inCode = ({ start, end }: MarkupNode): readonly FoundString[] =>
    inTypeScript(`(${source.slice(start, end)})`, lineAt(start))

  /** Keeps text and the values in it together, as users read it, instead of splitting it at the values. */
  const inRuns = (nodes: readonly MarkupNode[]): readonly FoundString[] => {
    const found: FoundString[] = []
    let run = ''
    let start = 0
    const endRun = (): void => {
      if (/\p{L}/u.test(withoutValues(run))) found.push({ line: lineAt(start), text: collapse(run) })
      run = ''
    }
    for (const node of nodes) {
      if (run === '' && node.type === 'Text') start = node.start + (node.data.length - node.data.trimStart().length)
      if (node.type === 'Text') run += node.data
      else if (node.type === 'ExpressionTag') run += '{…}'
      else endRun()
    }
    endRun()
    return found
  }

  const visit = (node: MarkupNode): readonly FoundString[] => {
    if (node.type === 'Attribute') {
      if (UNREAD_ATTRIBUTES.test(node.name) || node.value === true) return []
      const parts = [node.value].flat()
      const whole = parts.map((part) => (part.type === 'Text' ? part.data : '{…}')).join('')
      const isRead =
        /^(?:aria-(?:label|description|roledescription)|title|alt|placeholder|label|hint|description)$/.test(node.name)
      const isText = parts.some(({ type }) => type === 'Text') && /\p{L}/u.test(withoutValues(whole))
      const here = isText && (isRead || isWords(whole)) ? [{ line: lineAt(node.start), text: collapse(whole) }] : []
      return [...here, ...parts.flatMap((part) => (part.type === 'ExpressionTag' ? inCode(part.expression) : []))]
    }
    if (node.type === 'Script')
      return inTypeScript(source.slice(node.content.start, node.content.end), lineAt(node.content.start))
    if (node.type === 'StyleSheet' || node.type === 'Comment') return []
    const runs = node.type === 'Fragment' ? inRuns(node.nodes) : []
    const below = Object.values(node).flatMap((value: unknown) =>
      (Array.isArray(value) ? value : [value]).filter(isNode),
    )
    return [...runs, ...below.flatMap((child) => (isExpression(child) ? inCode(child) : visit(child)))]
  }
  return [tree.instance, tree.module, tree.fragment].flatMap((part) => (isNode(part) ? visit(part) : []))
}

/** Code in markup, by its ESTree type: `{#if …}`, `{value}`, a handler. */
const isExpression = (node: MarkupNode): boolean =>
  /(?:Expression|Literal)$|^Identifier$/.test(node.type) && !node.type.startsWith('TS')

/** User-visible strings of a source file, in line order. */
export const stringsOf = (file: string, source: string): readonly FoundString[] => {
  const found = file.endsWith('.svelte') ? inComponent(source) : inTypeScript(source, 1)
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
