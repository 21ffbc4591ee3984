import { createProblem } from '../shared/result.ts'

/** Child processes must not inherit the key. @throws ProblemError `invalid_input` if only one variable is set */
export const takeEnvironmentAccount = (env: NodeJS.ProcessEnv): { baseUrl: string; apiKey: string } | null => {
  const baseUrl = env.LINNET_BASE_URL?.trim()
  const apiKey = env.LINNET_API_KEY?.trim()
  delete env.LINNET_API_KEY
  if (!baseUrl && !apiKey) return null
  if (!baseUrl || !apiKey) {
    throw createProblem(
      'invalid_input',
      `LINNET_BASE_URL and LINNET_API_KEY must both be set. ${baseUrl ? 'LINNET_API_KEY' : 'LINNET_BASE_URL'} is missing.`,
    )
  }
  return { baseUrl, apiKey }
}

/** The client ID, or https address of a client document. Null if Linnet registers with each platform. */
export const readEnvironmentClientId = (env: NodeJS.ProcessEnv): string | null => {
  const clientId = env.LINNET_CLIENT_ID?.trim() ?? ''
  return clientId === '' ? null : clientId
}
