/** Elements whose content nobody reads. */
const unread = new Set(['script', 'style', 'head', 'title', 'noscript', 'template'])
/** Elements that do not separate the words around them; comments do not either. */
const inline = new Set(
  'a abbr b big bdi bdo code em font i ins kbd mark s small span strong sub sup tt u wbr'.split(' '),
)
const namedEntities: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    copy: '©',
    reg: '®',
    trade: '™',
    hellip: '…',
    mdash: '—',
    ndash: '–',
    lsquo: '‘',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
    euro: '€',
    auml: 'ä',
    ouml: 'ö',
    uuml: 'ü',
    Auml: 'Ä',
    Ouml: 'Ö',
    Uuml: 'Ü',
    szlig: 'ß',
    eacute: 'é',
    egrave: 'è',
    agrave: 'à',
    ccedil: 'ç',
    ntilde: 'ñ',
  }),
)

/**
 * The words of an HTML body for search and for a missing plain-text part: no markup, no scripts, entities decoded.
 * It is not a renderer: lines break at every block.
 */
export function htmlText(html: string): string {
  return withoutMarkup(html)
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (entity, decimal, hex, name) =>
      decodeEntity(entity, decimal as string | undefined, hex as string | undefined, name as string | undefined),
    )
    .replace(/[ \t\u00a0]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim()
}

/**
 * The text between comments, tags and elements that nobody reads. A stranger wrote it, so what is opened a million times
 * and never closed is looked for once: the time is that of one walk through it.
 */
function withoutMarkup(html: string): string {
  const find = finder(html)
  const parts: string[] = []
  let at = 0
  for (;;) {
    const open = html.indexOf('<', at)
    const tag = open < 0 ? null : find('>', open)
    if (tag === null) return [...parts, html.slice(at)].join('')
    const [, slash, name = ''] = /^<(\/?)([a-z][a-z\d-]*)/i.exec(html.slice(open, open + 12)) ?? []
    const element = name.toLowerCase()
    const comment = html.startsWith('<!--', open) ? find('-->', open + 4) : null
    // The closing tag of what nobody reads is then a tag like any other.
    const content = slash === '' && unread.has(element) ? find(`</${element}(?=[\\s/>])`, tag.end) : null
    parts.push(html.slice(at, open), comment || inline.has(element) ? '' : '\n')
    at = comment?.end ?? content?.start ?? tag.end
  }
}

interface Found {
  readonly start: number
  readonly end: number
}

/** Where a pattern comes next, in any case; what is not found once is not looked for again further on. */
function finder(html: string): (pattern: string, from: number) => Found | null {
  const missing = new Set<string>()
  return (pattern, from) => {
    if (missing.has(pattern)) return null
    const expression = new RegExp(pattern, 'gi')
    expression.lastIndex = from
    const match = expression.exec(html)
    if (!match) missing.add(pattern)
    return match && { start: match.index, end: match.index + match[0].length }
  }
}

function decodeEntity(entity: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return namedEntities.get(name) ?? entity
  const code = decimal === undefined ? parseInt(hex ?? '', 16) : parseInt(decimal, 10)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text made safe to stand in HTML, between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character)
}
