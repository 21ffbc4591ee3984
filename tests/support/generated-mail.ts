import { Random } from './random.ts'

/** Styles of words, each with a meaning that a quote has to keep. */
const WORD_STYLES = [
  'text-decoration:line-through',
  'text-decoration-line:line-through',
  'text-decoration:underline line-through #c00',
  'vertical-align:super;font-size:70%',
  'vertical-align:sub',
  'color:red',
  'color:#00b050',
  'color:hsl(280 80% 40%)',
  'color:#777',
  'background:#ff0',
  'background-color:#063;color:#fff',
  'font-weight:700',
  'font-style:italic',
  'white-space:pre-wrap',
  'white-space:pre-line',
  'display:block',
  'display:inline-block;padding:2px',
  'color:#0563c1;text-decoration:line-through',
]
const BLOCK_STYLES = [
  'white-space:pre-wrap',
  'white-space:pre',
  'white-space:pre-line',
  'white-space:break-spaces',
  'white-space:nowrap',
  'text-decoration:line-through',
  'color:#c00',
  'background:#123456;color:#fff',
  'direction:rtl',
  'display:inline',
  'display:flex',
  'float:left',
  'display:none',
  'visibility:hidden',
  'opacity:0',
  'font-size:0',
  'text-align:center',
  'display:table-cell',
]
const SHEET = `<style>.old{text-decoration:line-through}.up{vertical-align:super}span.down{vertical-align:sub}.red{color:#d00}
.red b{color:#080}.mark{background:#ffe08a}.kept{white-space:pre-wrap}.line{display:block}.gone{display:none}#here{display:inline}
p.bold{font-weight:bold}@media print{.paper{display:none}}@media (max-width:400px){.wide{display:none}.narrow{display:block!important}}
.narrow{display:none}@media (min-width:300px){.old.not{text-decoration:none}}.arabic{direction:rtl}</style>`
const CLASSES = [
  'old',
  'up',
  'down',
  'red',
  'mark',
  'kept',
  'line',
  'gone',
  'bold',
  'paper',
  'wide',
  'narrow',
  'arabic',
]
const WORD_TAGS = 'b i u s del strike ins sup sub code em strong small big mark label span span span span q cite'.split(
  ' ',
)
const BLOCK_TAGS = 'p p p div div div h1 h3 h5 blockquote section center address figure pre'.split(' ')
const PICTURES = [
  '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="Chart" width="40">',
  '<img src="cid:pier@a.example" alt="Pier" height="30">',
  '<img src="https://a.example/p.png" alt="Remote" width="90">',
  '<img src="cid:dot@a.example">',
]
const TEXTS = [
  'two words',
  'and',
  '10',
  'H',
  'a  b',
  '\n  x\n   y',
  ' ',
  'שלום',
  'مرحبا',
  '☑ done',
  '☐ open',
  'per m',
  'Zoë — 5 €',
]

const attributesOf = (random: Random, styles: readonly string[]): string => {
  if (random.chance(0.5)) return ` style="${random.pick(styles)}"`
  if (random.chance(0.4)) return ` class="${random.pick(CLASSES)}"`
  return random.chance(0.05) ? ' dir="rtl"' : ''
}

const createMail = (random: Random): string => {
  let count = 0
  // Numbered, so that a difference names its place.
  const text = (): string => `${random.pick(TEXTS)}${random.chance(0.6) ? ` w${(count += 1)}` : ''}`
  const words = (depth: number): string => {
    const kind = random.below(12)
    if (depth > 2 || kind < 4) return `${text()} `
    if (kind === 4) return random.chance(0.5) ? '<br>' : (random.pick(PICTURES) ?? '')
    if (kind === 5)
      return `<a href="https://a.example/${count}"${attributesOf(random, WORD_STYLES)}>${several(words, depth)}</a>`
    if (kind === 6) return `<font color="${random.pick(['red', '#006400', 'gray'])}">${several(words, depth)}</font>`
    const tag = random.pick(WORD_TAGS)
    return `<${tag}${attributesOf(random, WORD_STYLES)}>${several(words, depth)}</${tag}>`
  }
  const several = (of: (depth: number) => string, depth: number, least = 1): string =>
    Array.from({ length: least + random.below(2) }, () => of(depth + 1)).join(random.chance(0.3) ? '\n' : '')
  const list = (depth: number): string => {
    const tag = random.pick(['ul', 'ol'])
    const items = Array.from(
      { length: 1 + random.below(3) },
      () =>
        `<li${attributesOf(random, BLOCK_STYLES.slice(0, 8))}>${several(random.chance(0.2) ? block : words, depth)}</li>`,
    )
    return `<${tag}>${items.join('')}</${tag}>`
  }
  const table = (depth: number): string => {
    const columns = random.pick([1, 1, 2, 3]) ?? 1
    const cell = (): string =>
      `<td${random.chance(0.3) ? attributesOf(random, BLOCK_STYLES.slice(0, 8)) : ''}>${several(random.chance(0.5) ? block : words, depth)}</td>`
    const row = (): string => `<tr>${Array.from({ length: columns }, cell).join('')}</tr>`
    const rows = Array.from({ length: 1 + random.below(2) }, row).join('\n')
    return `<table${random.chance(0.3) ? ' border="1"' : ''}>${random.chance(0.1) ? '<caption>Cap</caption>' : ''}${rows}</table>`
  }
  const block = (depth: number): string => {
    const kind = random.below(10)
    if (depth > 2 || kind < 3) return `<p>${several(words, 0)}</p>`
    if (kind === 3) return list(depth)
    if (kind === 4) return table(depth)
    const tag = random.pick(BLOCK_TAGS) ?? 'p'
    const inner = /^(?:p|h\d|pre)$/.test(tag) || random.chance(0.4) ? several(words, 0) : several(block, depth)
    return `<${tag}${attributesOf(random, BLOCK_STYLES)}>${inner}</${tag}>`
  }
  const body = several(block, 0)
  return `<html><head>${SHEET}</head><body${random.chance(0.1) ? ' dir="rtl"' : ''}>${body}</body></html>`
}

/** Mail that combines elements, styles, nesting, whitespace, lists, tables, directions and pictures. */
export const generateMail = (
  seed: number,
  length: number,
): readonly { readonly name: string; readonly html: string }[] =>
  Array.from({ length }, (_, index) => ({
    name: `generated ${seed + index}`,
    html: createMail(new Random(seed + index)),
  }))
