import type { Inbox } from '../../../shared/model.ts'

export const inboxName = ({ name, emailAddress }: Inbox): string => name ?? emailAddress
