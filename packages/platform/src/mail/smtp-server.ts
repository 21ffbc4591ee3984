import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { Platform } from '../platform.ts'
import { isLocalRecipient, receiveMessage } from './deliver.ts'

/** Bytes (platform.md 20.3: 40 MB). */
const maxMessageBytes = 40 * 1024 * 1024

class SmtpError extends Error {
  readonly responseCode: number

  constructor(responseCode: number, message: string) {
    super(message)
    this.responseCode = responseCode
  }
}

/** Acknowledges a message once stored. Rejects recipients outside the local domains, so it never relays. */
export function createSmtpServer(platform: Platform, log: (line: string) => void): SMTPServer {
  const server = new SMTPServer({
    name: 'localhost',
    banner: 'Local mail platform',
    // Loopback only, so authentication and encryption are unnecessary.
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: maxMessageBytes,
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
  // A client's broken connection is harmless, but without a listener it would crash the process.
  server.on('error', (error: NodeJS.ErrnoException) => {
    // Listen errors are reported by the caller.
    if (error.syscall !== 'listen') log(`SMTP: ${error.message}`)
  })
  return server
}

async function receive(platform: Platform, stream: SMTPServerDataStream, session: SMTPServerSession): Promise<number> {
  const chunks: Buffer[] = []
  // SMTP requires reading an oversized message to its end; the excess is dropped.
  for await (const chunk of stream) if (!stream.sizeExceeded) chunks.push(chunk as Buffer)
  if (stream.sizeExceeded) throw new SmtpError(552, `The message is larger than ${maxMessageBytes} bytes`)
  const to = session.envelope.rcptTo.map(({ address }) => address)
  const stored = await receiveMessage(platform, Buffer.concat(chunks), { from: senderOf(session), to })
  return stored.length
}

function senderOf(session: SMTPServerSession): string {
  return session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address
}
