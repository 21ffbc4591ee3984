/** Lets a second `npm start` find the host already running with the same data folder and request an address from it. */
import { randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { isValidChallengeAnswer, answerChallenge } from '../host/challenge-response.ts'

const TIMEOUT_MS = 2_000

/** The running host's file in the data folder, readable only by this user. */
const portSchema = z.object({ port: z.int().min(1).max(65_535) })
const runningSchema = portSchema.extend({ secret: z.string().min(32) })
type Running = z.infer<typeof runningSchema>

/** A running host's response. The proof rules out another program that now has its port. */
const answerSchema = z.object({ url: z.string(), proof: z.string() })

const fileOf = (dataDirectory: string): string => join(dataDirectory, 'browser-host.json')

/**
 * Path for requesting another address from a running host. The nonce is in `x-linnet-question`, the proof in
 * `x-linnet-proof`.
 */
export const REOPEN_PATH = '/again'

/** Announces this host in the data folder. @throws the system's error if the file can't be written */
export const announceHost = async (dataDirectory: string, running: Running): Promise<void> => {
  // Delete the file first: an existing one would keep its mode.
  await rm(fileOf(dataDirectory), { force: true, recursive: true })
  await writeFile(fileOf(dataDirectory), JSON.stringify(running), { mode: 0o600, flag: 'wx' })
}

/** Keeps only the port, so that the next start can redirect old tabs (`refusals.ts`). */
export const withdrawHost = async (dataDirectory: string, port: number): Promise<void> => {
  await rm(fileOf(dataDirectory), { force: true, recursive: true })
  await writeFile(fileOf(dataDirectory), JSON.stringify({ port }), { mode: 0o600, flag: 'wx' })
}

/** Port of the last host that used this data folder, even if it crashed. Null if unknown. */
export const readFormerPort = async (dataDirectory: string): Promise<number | null> => {
  try {
    return portSchema.parse(JSON.parse(await readFile(fileOf(dataDirectory), 'utf8'))).port
  } catch {
    return null
  }
}

/** True if the proof shows that the client can read the data folder. */
export const isTrustedRequest = (secret: string, question: string | undefined, proof: string | undefined): boolean =>
  question !== undefined && isValidChallengeAnswer(proof, secret, `ask ${question}`)

export const createResponseProof = (secret: string, question: string, url: string): string =>
  answerChallenge(secret, `answer ${question} ${url}`)

/** Requests a new address from the host running with this data folder. @returns null if none is running */
export const askRunningHost = async (dataDirectory: string): Promise<{ readonly url: string } | null> => {
  try {
    const { port, secret } = runningSchema.parse(JSON.parse(await readFile(fileOf(dataDirectory), 'utf8')))
    const question = randomBytes(16).toString('base64url')
    const answer = await fetch(`http://127.0.0.1:${port}${REOPEN_PATH}`, {
      method: 'POST',
      headers: { 'x-linnet-question': question, 'x-linnet-proof': answerChallenge(secret, `ask ${question}`) },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const { url, proof } = answerSchema.parse(await answer.json())
    return isValidChallengeAnswer(proof, secret, `answer ${question} ${url}`) ? { url } : null
  } catch {
    return null
  }
}
