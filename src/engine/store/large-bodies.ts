import { crc32 } from 'node:zlib'
import type Database from 'better-sqlite3'
import { MAX_CHUNK_LENGTH } from '../../shared/model.ts'
import { withLargeBodies, type FetchedEmail } from '../platform/resources/thread-emails.ts'

const BODIES = ['html', 'text'] as const

/** Replaces an e-mail's large bodies with their lengths and checksums. */
export const withoutLargeBodies = (email: FetchedEmail): FetchedEmail =>
  withLargeBodies(
    email,
    BODIES.flatMap((name) => {
      const body = email[name] ?? ''
      return body.length > MAX_CHUNK_LENGTH ? [{ name, length: body.length, checksum: crc32(body) }] : []
    }),
  )

/** Bodies of over half a million characters. Their e-mails' rows stay small, because many queries read them. */
export const createLargeBodyStore = (database: Database.Database) => {
  const select = database
    .prepare<[number, string], string>('SELECT text FROM large_bodies WHERE email_key = ? AND name = ?')
    .pluck()
  const put = database.prepare<[number, string, string]>(
    'INSERT OR REPLACE INTO large_bodies (email_key, name, text) VALUES (?, ?, ?)',
  )
  const remove = database.prepare<[number, string]>('DELETE FROM large_bodies WHERE email_key = ? AND name = ?')
  return {
    /** A stored e-mail with its complete bodies. */
    complete: (emailKey: number, email: FetchedEmail): FetchedEmail => {
      const { html, text } = email.largeBodies
      if (html === null && text === null) return email
      const read = (name: (typeof BODIES)[number]): string | null => select.get(emailKey, name) ?? email[name]
      return { ...email, html: read('html'), text: read('text') }
    },
    /** Stores an e-mail's large bodies. @param stored the e-mail's row @param complete the e-mail with all bodies */
    store: (emailKey: number, stored: FetchedEmail, complete: FetchedEmail): void => {
      for (const name of BODIES) {
        if (stored.largeBodies[name] === null) remove.run(emailKey, name)
        else if (complete[name] !== null) put.run(emailKey, name, complete[name])
      }
    },
  }
}
