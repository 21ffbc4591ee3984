import type { DomainHandlers } from '../../shared/contract.ts'
import type { EmailBodies } from '../../shared/model.ts'
import type { AccountAccess } from '../account-access.ts'
import { createProblem } from '../platform/problem.ts'
import { getBodyChunk, computeBodyVersion } from '../store/separate-bodies.ts'

export const createBodyHandlers = ({ current, inboxOf }: AccountAccess): DomainHandlers<'body'> => {
  /** The e-mail being read in pieces, remembered because finding it takes time proportional to its size. */
  let inPieces: (Pick<EmailBodies, 'html' | 'text'> & { readonly of: string }) | null = null

  const listedBody = (
    list: 'received' | 'sent',
    emailId: string,
    body: 'html' | 'text',
    version: string,
    place: number,
  ): string | undefined => {
    const { cache } = current()
    const of = JSON.stringify([list, emailId, version])
    if (inPieces?.of !== of) {
      const whole = list === 'received' ? cache.receivedEmails.get(emailId) : cache.sentEmails.get(emailId)
      if (whole === undefined || computeBodyVersion(whole) !== version) return undefined
      inPieces = { of, html: whole.html, text: whole.text }
    }
    const whole = inPieces[body]
    if (getBodyChunk(whole, place + 1) === null) inPieces = null
    return getBodyChunk(whole, place) ?? undefined
  }

  return {
    'body.read': ({ of, body, version, place }) => {
      const piece =
        of.list === 'threads'
          ? current().cache.emails.bodyPiece(inboxOf(of.inboxId), of.threadId, of.emailId, body, version, place)
          : listedBody(of.list, of.emailId, body, version, place)
      if (piece === undefined)
        throw createProblem('not_found', 'The text of this message is no longer on this computer.')
      return piece
    },
  }
}
