import type { Contact } from '../../../shared/people.ts'
import { toVisibleText } from '../../../shared/visible-text.ts'
import { formatCount } from '../../ui/format-quantity.ts'

export const formatContactName = ({ firstName, lastName, email }: Contact): string => {
  // Contacts can contain strangers' text from web forms.
  const name = [firstName, lastName].map((part) => toVisibleText(part ?? '')).filter((part) => part !== '')
  return name.length === 0 ? email : name.join(' ')
}

/** Names contacts: `Ann Lee`, or `3 contacts`. */
export const describeContacts = (contacts: readonly Contact[]): string => {
  const [first] = contacts
  return contacts.length === 1 && first !== undefined
    ? formatContactName(first)
    : formatCount(contacts.length, 'contact')
}

/** Turns `plan_name` or `planName` into `Plan name`. */
export const formatPropertyLabel = (key: string): string => {
  const words = key
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
    .toLocaleLowerCase('en')
  return words === '' ? key : words.charAt(0).toLocaleUpperCase('en') + words.slice(1)
}
