import type { Topic } from '../../../shared/people.ts'

const defaultOf = (byDefault: string): string | null => {
  if (byDefault === 'opt_in') return 'Subscribed by default'
  if (byDefault === 'opt_out') return 'Not subscribed by default'
  return byDefault === '' ? null : `By default: ${byDefault}`
}
const visibilityOf = (visibility: string): string | null => {
  if (visibility === 'public') return 'Public'
  return visibility === 'private' ? 'Private' : null
}

/** The known settings in one line: `Subscribed by default · Private`. @param part limits the text to that part */
export const describeTopic = ({ byDefault, visibility, createdAt }: Topic, part?: 'default'): string => {
  if (part === 'default') return defaultOf(byDefault) ?? 'The default is unknown'
  const facts = [defaultOf(byDefault), visibilityOf(visibility), createdAt === null ? 'Waiting to sync' : null]
  return facts.filter((fact) => fact !== null).join(' · ')
}
