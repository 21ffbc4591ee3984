/**
 * Platform limits for a message (platform.md 13.3, 13.4, 14.4 and 20.1). Content beyond them is kept, with a warning.
 */
export const MESSAGE_LIMITS = {
  recipients: 50,
  subject: 2_000,
  /**
   * Number of files of a reply, a forwarded e-mail or a draft (platform.md 13.4, 13.7 and 14.4), and their total size
   * in bytes.
   */
  files: 10,
  bytes: 25 * 1024 * 1024,
} as const

/** Local limits of a draft: more than anybody types, pastes or quotes, so nothing is lost. */
export const DRAFT_BOUNDS = {
  people: 20_000,
  /** Maximum characters of a name, an address, the subject, and each body with its quoted text. */
  name: 100_000,
  address: 100_000,
  subject: 1_000_000,
  body: 40_000_000,
  files: 1_000,
} as const
