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

/** `Subscribed by default · Private`, as far as the platform says it. @param part what of it; all where it is left out */
export const topicFacts = ({ byDefault, visibility, createdAt }: Topic, part?: 'default'): string => {
  if (part === 'default') return defaultOf(byDefault) ?? 'The default is not known'
  const facts = [defaultOf(byDefault), visibilityOf(visibility), createdAt === null ? 'Waiting to be sent' : null]
  return facts.filter((fact) => fact !== null).join(' · ')
}
