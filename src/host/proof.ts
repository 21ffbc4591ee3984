import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Compares secrets in constant time. */
export const isSameSecret = (given: string | null | undefined, expected: string): boolean =>
  timingSafeEqual(digest(given ?? ''), digest(expected))

/** The answer of who knows `secret` to a question; it gives the secret away to nobody. */
export const prove = (secret: string, question: string): string =>
  createHmac('sha256', secret).update(question).digest('base64url')

/** True if `proof` answers the question with the secret. */
export const isProof = (proof: string | undefined, secret: string, question: string): boolean =>
  isSameSecret(proof, prove(secret, question))
