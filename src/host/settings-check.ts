import { createHash } from 'node:crypto'

/** The settings that say where a person's mail is and by which key. */
export interface GuardedSettings {
  readonly version: unknown
  readonly accounts: unknown
}

/**
 * A digest of the settings, kept beside them: one letter that is another may send a key to a stranger, or show an empty
 * mailbox in the place of a full one. It guards against damage, not against a person.
 */
export const digestSettings = ({ version, accounts }: GuardedSettings): string =>
  createHash('sha256')
    .update(JSON.stringify([version, accounts]))
    .digest('hex')
    .slice(0, 32)
