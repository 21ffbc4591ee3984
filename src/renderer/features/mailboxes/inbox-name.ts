import type { Inbox } from '../../../shared/model.ts'

/** The inbox's name, or its address where it has none. */
export const inboxName = ({ name, emailAddress }: Inbox): string => name ?? emailAddress
