import { letThrough, listenOnLoopback } from '../../../support/door.ts'

/** A platform behind a door that may answer in its place. */
export interface StrayingProxy {
  readonly baseUrl: string
  /**
   * From now on a request that this gives a status for gets an error of that status, as a door would answer and not the
   * platform; null lets it pass. @param answer is given the method and the path with its query
   */
  readonly stray: (answer: (method: string, path: string) => number | null) => void
  /** Every request that was answered, such as `GET /inboxes 200`, without its query. */
  readonly requests: () => readonly string[]
}

const NAMES: Readonly<Record<number, string>> = { 404: 'not_found', 405: 'method_not_allowed' }

/** Puts a door before a platform; it lets everything pass until it is told otherwise. */
export const startStrayingProxy = async (target: string): Promise<StrayingProxy> => {
  const requests: string[] = []
  let answerOf: (method: string, path: string) => number | null = () => null
  const baseUrl = await listenOnLoopback((incoming, outgoing) => {
    const { method = 'GET', url = '/' } = incoming
    const note = (status: number): void => void requests.push(`${method} ${url.split('?')[0] ?? ''} ${status}`)
    const status = answerOf(method, url)
    if (status !== null) {
      note(status)
      outgoing.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
      outgoing.end(JSON.stringify({ statusCode: status, message: 'Not here.', name: NAMES[status] ?? 'error' }))
      return
    }
    letThrough(incoming, outgoing, target, { onStatus: note })
  })
  return {
    baseUrl,
    stray: (answer) => {
      answerOf = answer
    },
    requests: () => requests,
  }
}
