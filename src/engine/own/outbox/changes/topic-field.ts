import type { ChangeSubject } from '../change.ts'

const PREFIX = 'topic:'

export const contactSubject = (contactId: string): ChangeSubject => ({ kind: 'contact', scope: '', id: contactId })

export const toTopicField = (topicId: string): string => PREFIX + topicId
export const isTopicField = (field: string): boolean => field.startsWith(PREFIX)
export const topicIdOf = (field: string): string => field.slice(PREFIX.length)
