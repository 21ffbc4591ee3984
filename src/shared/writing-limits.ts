/** What the platform takes of a message (platform facts 3.5 to 3.7 and 6.1). What is written is kept beyond it, and said. */
export const WRITING_LIMITS = {
  recipients: 50,
  subject: 2_000,
  /** Files of an answer, a forwarded e-mail or a draft (platform facts 3.5 to 3.7), and their bytes in all. */
  files: 10,
  bytes: 25 * 1024 * 1024,
} as const

/** What a draft holds on this computer: more than is ever typed, pasted or quoted, as nothing of that is to be lost. */
export const DRAFT_BOUNDS = {
  /** People in each of To, Cc and Bcc. */
  people: 20_000,
  /** Characters of a name, of what is to be an address, of the subject, and of each body with what is quoted. */
  name: 100_000,
  address: 100_000,
  subject: 1_000_000,
  body: 40_000_000,
  files: 1_000,
} as const
