import { wireSent } from '../wire.ts'
import { readWith } from './read-answer.ts'

/** The ID of what was sent (platform facts 3.5 to 3.7 and 6): of older platforms the answer has another one besides. */
export const readSentId = readWith(wireSent, ({ id, email_id: emailId }) => emailId ?? id)
