import document from '../../../../docs/writing.md?raw'

interface Allowed {
  readonly attributes: ReadonlySet<string>
  readonly styles: ReadonlySet<string>
}

const codes = (cell: string): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word ?? '')

/** The table in docs/writing.md, "The HTML that is sent". */
const readTable = (): ReadonlyMap<string, Allowed> => {
  const section = /# The HTML that is sent\n([^]*?)(?=\n#)/.exec(document)?.[1] ?? ''
  const table = new Map<string, Allowed>()
  for (const row of section.split('\n').filter((line) => line.startsWith('| `'))) {
    const [, elements = '', attributes = '', styles = ''] = row.split('|')
    for (const element of codes(elements)) {
      table.set(element, { attributes: new Set(codes(attributes)), styles: new Set(codes(styles)) })
    }
  }
  return table
}

const TABLE = readTable()

const faultsOfStyle = (name: string, style: string): readonly string[] => {
  const faults = /url|expression|@import|\\|\/\*/i.test(style) ? [`${name} style: ${style}`] : []
  const properties = style.split(';').map((declaration) => (declaration.split(':')[0] ?? '').trim().toLowerCase())
  return [
    ...faults,
    ...properties
      .filter((property) => property !== '' && TABLE.get(name)?.styles.has(property) !== true)
      .map((property) => `${name} style ${property}`),
  ]
}

const isAddressAllowed = (attribute: string, value: string): boolean =>
  attribute === 'href' ? /^(?:https?:\/\/|mailto:)/.test(value) : /^cid:[\w.@+-]+$/.test(value)

/** Lists what isn't in the table of docs/writing.md, using a browser's parser. */
export const checkOutgoingHtml = (html: string): readonly string[] => {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const faults = [...page.head.children].map(({ localName }) => `in the head: ${localName}`)
  const comments = page.createTreeWalker(page, NodeFilter.SHOW_COMMENT)
  while (comments.nextNode() !== null) faults.push('comment')
  for (const element of page.body.querySelectorAll('*')) {
    const name = element.localName
    const allowed = TABLE.get(name)
    if (allowed === undefined) faults.push(`element ${name}`)
    for (const { name: attribute, value } of element.attributes) {
      if (attribute === 'style') faults.push(...faultsOfStyle(name, value))
      else if (allowed?.attributes.has(attribute) !== true) faults.push(`${name} ${attribute}`)
      else if ((attribute === 'href' || attribute === 'src') && !isAddressAllowed(attribute, value)) {
        faults.push(`${name} ${attribute}: ${value}`)
      }
    }
  }
  return faults
}
