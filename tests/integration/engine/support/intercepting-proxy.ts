import { forwardRequest, listenOnLoopback } from '../../../support/loopback-server.ts'

/** A plain status means a JSON error, as a gateway would send it. */
type InterceptedResponse = number | { readonly status: number; readonly page: string }

/** A proxy that may answer instead of the platform. */
export interface InterceptingProxy {
  readonly baseUrl: string
  /**
   * Answers requests with the returned status, as a gateway would, unless it is null. @param answer receives the
   * method, and the path with its query
   */
  readonly intercept: (answer: (method: string, path: string) => InterceptedResponse | null) => void
  /** Delays the platform's responses until the returned promise resolves. */
  readonly hold: (until: (method: string, path: string) => Promise<void> | null) => void
  /** Answered requests without their queries, such as `GET /inboxes 200`. */
  readonly requests: () => readonly string[]
}

const NAMES: Readonly<Record<number, string>> = { 404: 'not_found', 405: 'method_not_allowed' }

export const startInterceptingProxy = async (target: string): Promise<InterceptingProxy> => {
  const requests: string[] = []
  let answerOf: (method: string, path: string) => InterceptedResponse | null = () => null
  let holdOf: (method: string, path: string) => Promise<void> | null = () => null
  const baseUrl = await listenOnLoopback((incoming, outgoing) => {
    const { method = 'GET', url = '/' } = incoming
    const note = (status: number): void => void requests.push(`${method} ${url.split('?')[0] ?? ''} ${status}`)
    const intercept = answerOf(method, url)
    if (intercept !== null && typeof intercept !== 'number') {
      note(intercept.status)
      outgoing.writeHead(intercept.status, { 'content-type': 'text/html; charset=utf-8' })
      outgoing.end(intercept.page)
      return
    }
    if (intercept !== null) {
      const status = intercept
      note(status)
      outgoing.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
      outgoing.end(JSON.stringify({ statusCode: status, message: 'Not here.', name: NAMES[status] ?? 'error' }))
      return
    }
    forwardRequest(incoming, outgoing, target, { onStatus: note, until: holdOf(method, url) })
  })
  return {
    baseUrl,
    intercept: (answer) => {
      answerOf = answer
    },
    hold: (until) => {
      holdOf = until
    },
    requests: () => requests,
  }
}
