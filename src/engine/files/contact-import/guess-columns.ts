import {
  COLUMN_FIELDS,
  isUniqueTarget,
  toPropertyTarget,
  type ColumnTarget,
  type TableColumn,
} from '../../../shared/contact-import.ts'
import { containsAddress, type ContactTable } from './read-table.ts'

/** Column names of address books and mail services, letters only. */
const HEADINGS: Readonly<Record<'email' | 'firstName' | 'lastName' | 'name', readonly string[]>> = {
  email: ['email', 'emailaddress', 'mail', 'emailmanual', 'email1value', 'address', 'adresse', 'correo', 'courriel'],
  firstName: ['firstname', 'first', 'givenname', 'forename', 'vorname', 'prenom', 'nombre'],
  lastName: ['lastname', 'last', 'surname', 'familyname', 'nachname', 'nom', 'apellido', 'apellidos'],
  name: ['name', 'fullname', 'displayname', 'contact', 'contactname'],
}
/** Consent headings of mail services. The first entry excludes look-alikes. */
const CONSENT: readonly (readonly [RegExp, ColumnTarget | null])[] = [
  [/(?:name|id|ip|url|link|plan|type)$/, null],
  [
    /unsub|opt(?:ed)?out|do(?:es)?not|dont|black|block|suppress|abgemeldet|abbestell|desabonn|de(?:sin|su)scri/,
    'unsubscribed',
  ],
  [/^no[nt]?(?:e?mail|market|consent|contact|newsletter|subscri)/, 'unsubscribed'],
  [/sub?scri|opt(?:ed)?in|consent|permission|newsletter|angemeldet|abonn|inscri/, 'subscribed'],
  [/(?:accepts|e?mail)marketing|^(?:e?mail)?status$/, 'subscribed'],
]

const MAX_ROWS_CHECKED = 100
const SAMPLES = 3

const lettersOf = (heading: string): string =>
  heading
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

const fieldOf = (heading: string): ColumnTarget | null => {
  const letters = lettersOf(heading)
  const found = Object.entries(HEADINGS).find(([, names]) => names.includes(letters))?.[0]
  return COLUMN_FIELDS.find((field) => field === found) ?? CONSENT.find(([words]) => words.test(letters))?.[1] ?? null
}

/** The likely field of each column. @param keys the account's property keys */
export const guessColumns = ({ heading, rows }: ContactTable, keys: readonly string[]): readonly TableColumn[] => {
  const taken = new Set<ColumnTarget>()
  const once = (target: ColumnTarget | null): ColumnTarget | null => {
    if (target === null || (isUniqueTarget(target) && taken.has(target))) return null
    taken.add(target)
    return target
  }
  const cellsOf = (column: number): readonly string[] =>
    rows
      .slice(0, MAX_ROWS_CHECKED)
      .map(({ cells }) => cells[column] ?? '')
      .filter((cell) => cell !== '')
  const targets = heading.map((each) => {
    const key = keys.find((one) => lettersOf(one) === lettersOf(each))
    return once(fieldOf(each)) ?? once(key === undefined ? null : toPropertyTarget(key)) ?? 'nothing'
  })
  // If no heading names the address column, recognise it by its cells.
  const isOfAddresses = (_target: ColumnTarget, column: number): boolean => {
    const cells = cellsOf(column)
    return cells.length > 0 && cells.filter(containsAddress).length >= cells.length / 2
  }
  const likely = taken.has('email') ? -1 : targets.findIndex(isOfAddresses)
  return heading.map((each, column) => ({
    heading: each,
    samples: cellsOf(column).slice(0, SAMPLES),
    target: column === likely ? 'email' : (targets[column] ?? 'nothing'),
  }))
}
