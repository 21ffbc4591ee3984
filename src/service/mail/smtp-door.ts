import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { Platform } from '../platform.ts'
import { isLocalRecipient } from './deliver.ts'
import { receiveMessage } from './receive.ts'

/** The largest message that is accepted, in bytes (platform facts 6.1: 40 MB). */
const messageBytes = 40 * 1024 * 1024

/** A refusal with its SMTP status. */
class SmtpError extends Error {
  readonly responseCode: number

  constructor(responseCode: number, message: string) {
    super(message)
    this.responseCode = responseCode
  }
}

/**
 * Takes mail in. A message is acknowledged once it is in the database; recipients outside of the local domains are
 * refused, so nothing is ever relayed.
 */
export function createSmtpDoor(platform: Platform, log: (line: string) => void): SMTPServer {
  const server = new SMTPServer({
    name: 'localhost',
    banner: 'Local mail platform',
    // Loopback only, so there is no one to authenticate and nothing to encrypt.
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: messageBytes,
    rejectOversized: true,
    maxAllowedUnauthenticatedCommands: false,
    closeTimeout: 1000,
    onRcptTo(recipient, _session, done) {
      const isLocal = isLocalRecipient(platform.db, recipient.address)
      done(isLocal ? null : new SmtpError(550, `No mailbox here for <${recipient.address}>`))
    },
    onData(stream, session, done) {
      receive(platform, stream, session).then(
        (count) => {
          log(`SMTP message from <${senderOf(session)}> stored ${count} times`)
          done(null, 'Message accepted')
        },
        (error: unknown) => {
          log(`SMTP message refused: ${String(error)}`)
          done(error instanceof SmtpError ? error : new SmtpError(451, 'The message could not be stored, try again'))
        },
      )
    },
  })
  // A client that breaks its connection is its own affair; without a listener it would end the process.
  server.on('error', (error: NodeJS.ErrnoException) => {
    // Who starts the server tells of a port that cannot be had.
    if (error.syscall !== 'listen') log(`SMTP: ${error.message}`)
  })
  return server
}

async function receive(platform: Platform, stream: SMTPServerDataStream, session: SMTPServerSession): Promise<number> {
  const chunks: Buffer[] = []
  // What exceeds the limit is read to its end, as SMTP wants, but not kept.
  for await (const chunk of stream) if (!stream.sizeExceeded) chunks.push(chunk as Buffer)
  if (stream.sizeExceeded) throw new SmtpError(552, `The message is larger than ${messageBytes} bytes`)
  const to = session.envelope.rcptTo.map(({ address }) => address)
  const stored = await receiveMessage(platform, Buffer.concat(chunks), { from: senderOf(session), to })
  return stored.length
}

function senderOf(session: SMTPServerSession): string {
  return session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address
}
