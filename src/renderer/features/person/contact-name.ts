import type { Contact } from '../../../shared/people.ts'
import { visibleText } from '../../../shared/visible-text.ts'

export const contactName = ({ firstName, lastName, email }: Contact): string => {
  // Contacts can contain strangers' text from web forms.
  const name = [firstName, lastName].map((part) => visibleText(part ?? '')).filter((part) => part !== '')
  return name.length === 0 ? email : name.join(' ')
}

/** Turns `plan_name` or `planName` into `Plan name`. */
export const propertyLabel = (key: string): string => {
  const words = key
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
    .toLocaleLowerCase('en')
  return words === '' ? key : words.charAt(0).toLocaleUpperCase('en') + words.slice(1)
}
