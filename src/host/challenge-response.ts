import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

export const isSameSecret = (given: string | null | undefined, expected: string): boolean =>
  timingSafeEqual(digest(given ?? ''), digest(expected))

/** Returns a challenge's response, which doesn't reveal `secret`. */
export const answerChallenge = (secret: string, question: string): string =>
  createHmac('sha256', secret).update(question).digest('base64url')

export const isValidChallengeAnswer = (proof: string | undefined, secret: string, question: string): boolean =>
  isSameSecret(proof, answerChallenge(secret, question))
