/** How a second `npm start` finds the host that runs already with the same data folder, and asks it for a way in. */
import { randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { isProof, prove } from '../host/proof.ts'

const TIMEOUT_MS = 2_000

/** A running host's file in the data folder, for this person alone. */
const portSchema = z.object({ port: z.int().min(1).max(65_535) })
const runningSchema = portSchema.extend({ secret: z.string().min(32) })
type Running = z.infer<typeof runningSchema>

/** How a running host answers. Its proof tells it from a stranger who has its port now. */
const answerSchema = z.object({ url: z.string(), proof: z.string() })

const fileOf = (dataDirectory: string): string => join(dataDirectory, 'browser-host.json')

/** Asks a running host: question in `x-linnet-question`, proof in `x-linnet-proof`. */
export const AGAIN_PATH = '/again'

/** Says in the data folder where this host is. @throws the system's error where it cannot be written */
export const announceHost = async (dataDirectory: string, running: Running): Promise<void> => {
  // Recreated, as an existing file would keep its mode.
  await rm(fileOf(dataDirectory), { force: true, recursive: true })
  await writeFile(fileOf(dataDirectory), JSON.stringify(running), { mode: 0o600, flag: 'wx' })
}

/** Leaves the port alone, for the signpost of the next start (`signpost.ts`). */
export const withdrawHost = async (dataDirectory: string, port: number): Promise<void> => {
  await rm(fileOf(dataDirectory), { force: true, recursive: true })
  await writeFile(fileOf(dataDirectory), JSON.stringify({ port }), { mode: 0o600, flag: 'wx' })
}

/** Port of the last host with this data folder, even after a crash. */
export const formerPort = async (dataDirectory: string): Promise<number | null> => {
  try {
    return portSchema.parse(JSON.parse(await readFile(fileOf(dataDirectory), 'utf8'))).port
  } catch {
    return null
  }
}

/** True for a program that can read the data folder. */
export const isOwnQuestion = (secret: string, question: string | undefined, proof: string | undefined): boolean =>
  question !== undefined && isProof(proof, secret, `ask ${question}`)

/** The proof that goes with an answer. */
export const proveAnswer = (secret: string, question: string, url: string): string =>
  prove(secret, `answer ${question} ${url}`)

/** Asks the host that runs with this data folder for a new address. @returns null where none runs */
export const askRunningHost = async (dataDirectory: string): Promise<{ readonly url: string } | null> => {
  try {
    const { port, secret } = runningSchema.parse(JSON.parse(await readFile(fileOf(dataDirectory), 'utf8')))
    const question = randomBytes(16).toString('base64url')
    const answer = await fetch(`http://127.0.0.1:${port}${AGAIN_PATH}`, {
      method: 'POST',
      headers: { 'x-linnet-question': question, 'x-linnet-proof': prove(secret, `ask ${question}`) },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const { url, proof } = answerSchema.parse(await answer.json())
    return isProof(proof, secret, `answer ${question} ${url}`) ? { url } : null
  } catch {
    return null
  }
}
