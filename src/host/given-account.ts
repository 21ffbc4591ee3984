import { ProblemError } from '../shared/result.ts'

/**
 * The account that the environment names, and the environment without its key: whatever is started from here on
 * (a crash reporter, a helper process) does not inherit it.
 * @throws ProblemError `invalid_input` where only one of the two variables is set
 */
export const takeGivenAccount = (env: NodeJS.ProcessEnv): { baseUrl: string; apiKey: string } | null => {
  const baseUrl = env.LINNET_BASE_URL?.trim()
  const apiKey = env.LINNET_API_KEY?.trim()
  delete env.LINNET_API_KEY
  if (!baseUrl && !apiKey) return null
  if (!baseUrl || !apiKey) {
    throw new ProblemError({
      code: 'invalid_input',
      message: `LINNET_BASE_URL and LINNET_API_KEY go together, but ${baseUrl ? 'LINNET_API_KEY' : 'LINNET_BASE_URL'} is not set.`,
    })
  }
  return { baseUrl, apiKey }
}

/**
 * The ID by which Linnet signs in, where somebody runs it with one of their own: one that their platform gave out, or the https
 * address of a client document. Null where Linnet registers with each platform by itself.
 */
export const givenClientId = (env: NodeJS.ProcessEnv): string | null => {
  const clientId = env.LINNET_CLIENT_ID?.trim() ?? ''
  return clientId === '' ? null : clientId
}
