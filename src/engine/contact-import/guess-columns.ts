import { COLUMN_FIELDS, propertyTarget, type ColumnTarget, type TableColumn } from '../../shared/contact-import.ts'
import { isAddress } from '../../shared/recipients.ts'
import type { ReadTable } from './read-table.ts'

/** Names of columns in address books and mail services, in letters alone. */
const HEADINGS: Readonly<Record<Exclude<(typeof COLUMN_FIELDS)[number], 'nothing'>, readonly string[]>> = {
  email: ['email', 'emailaddress', 'mail', 'emailmanual', 'email1value', 'address', 'adresse', 'correo', 'courriel'],
  firstName: ['firstname', 'first', 'givenname', 'forename', 'vorname', 'prenom', 'nombre'],
  lastName: ['lastname', 'last', 'surname', 'familyname', 'nachname', 'nom', 'apellido', 'apellidos'],
  name: ['name', 'fullname', 'displayname', 'contact', 'contactname'],
  unsubscribed: [
    ...['unsubscribed', 'unsubscribe', 'optedout', 'optout', 'isunsubscribed', 'unsubtime', 'unsubscribedat'],
    ...['unsubscribetime', 'unsubscribedate', 'unsubscribeddate', 'optouttime', 'optoutdate', 'abgemeldet'],
  ],
  subscribed: [
    ...['subscribed', 'issubscribed', 'subscription', 'subscriptionstatus', 'subscriberstatus', 'status', 'optin'],
    ...[
      'optedin',
      'optinstatus',
      'emailpermissionstatus',
      'emailmarketing',
      'acceptsmarketing',
      'acceptsemailmarketing',
    ],
    ...['marketingconsent', 'consent', 'newsletter', 'angemeldet'],
  ],
}

/** Lines that are looked at. */
const LOOKED_AT = 100
const SAMPLES = 3

const lettersOf = (heading: string): string =>
  heading
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

const fieldOf = (heading: string): ColumnTarget | null => {
  const letters = lettersOf(heading)
  const found = Object.entries(HEADINGS).find(([, names]) => names.includes(letters))?.[0]
  return COLUMN_FIELDS.find((field) => field === found) ?? null
}

/** The likely field of each column, no field twice. @param keys of the account's properties */
export const guessColumns = ({ heading, rows }: ReadTable, keys: readonly string[]): readonly TableColumn[] => {
  const taken = new Set<ColumnTarget>()
  const once = (target: ColumnTarget | null): ColumnTarget | null => {
    if (target === null || taken.has(target)) return null
    taken.add(target)
    return target
  }
  const cellsOf = (column: number): readonly string[] =>
    rows
      .slice(0, LOOKED_AT)
      .map(({ cells }) => cells[column] ?? '')
      .filter((cell) => cell !== '')
  const targets = heading.map((each) => {
    const key = keys.find((one) => lettersOf(one) === lettersOf(each))
    return once(fieldOf(each)) ?? once(key === undefined ? null : propertyTarget(key)) ?? 'nothing'
  })
  // Without such a heading, addresses are found by their form.
  const isOfAddresses = (_target: ColumnTarget, column: number): boolean => {
    const cells = cellsOf(column)
    return cells.length > 0 && cells.filter(isAddress).length > cells.length / 2
  }
  const likely = taken.has('email') ? -1 : targets.findIndex(isOfAddresses)
  return heading.map((each, column) => ({
    heading: each,
    samples: cellsOf(column).slice(0, SAMPLES),
    target: column === likely ? 'email' : (targets[column] ?? 'nothing'),
  }))
}
