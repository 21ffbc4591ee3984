import { letThrough, listenOnLoopback } from '../../../support/door.ts'

/** A status alone stands for an error in JSON, as a door would answer. */
type StrayAnswer = number | { readonly status: number; readonly page: string }

/** A platform behind a door that may answer in its place. */
export interface StrayingProxy {
  readonly baseUrl: string
  /**
   * From now on a request that this gives a status for gets an error of that status, as a door would answer and not the
   * platform; null lets it pass. @param answer is given the method and the path with its query
   */
  readonly stray: (answer: (method: string, path: string) => StrayAnswer | null) => void
  /** From now on an answer of the platform for which this gives a promise is passed on when that resolves. */
  readonly hold: (until: (method: string, path: string) => Promise<void> | null) => void
  /** Every request that was answered, such as `GET /inboxes 200`, without its query. */
  readonly requests: () => readonly string[]
}

const NAMES: Readonly<Record<number, string>> = { 404: 'not_found', 405: 'method_not_allowed' }

/** Puts a door before a platform; it lets everything pass until it is told otherwise. */
export const startStrayingProxy = async (target: string): Promise<StrayingProxy> => {
  const requests: string[] = []
  let answerOf: (method: string, path: string) => StrayAnswer | null = () => null
  let holdOf: (method: string, path: string) => Promise<void> | null = () => null
  const baseUrl = await listenOnLoopback((incoming, outgoing) => {
    const { method = 'GET', url = '/' } = incoming
    const note = (status: number): void => void requests.push(`${method} ${url.split('?')[0] ?? ''} ${status}`)
    const stray = answerOf(method, url)
    if (stray !== null && typeof stray !== 'number') {
      note(stray.status)
      outgoing.writeHead(stray.status, { 'content-type': 'text/html; charset=utf-8' })
      outgoing.end(stray.page)
      return
    }
    if (stray !== null) {
      const status = stray
      note(status)
      outgoing.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
      outgoing.end(JSON.stringify({ statusCode: status, message: 'Not here.', name: NAMES[status] ?? 'error' }))
      return
    }
    letThrough(incoming, outgoing, target, { onStatus: note, until: holdOf(method, url) })
  })
  return {
    baseUrl,
    stray: (answer) => {
      answerOf = answer
    },
    hold: (until) => {
      holdOf = until
    },
    requests: () => requests,
  }
}
