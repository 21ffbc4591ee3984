import { forwardRequest, listenOnLoopback } from '../../../support/loopback-server.ts'

/** An account behind the proxy. Requests with its key are forwarded to its platform. */
interface Team {
  readonly baseUrl: string
  readonly apiKey: string
}

/** One base URL for accounts on several platforms. It can be taken offline. */
export interface KeyProxy {
  readonly baseUrl: string
  /** Requests so far without their queries, such as `GET /inboxes 200`, optionally of one API key. */
  readonly requests: (apiKey?: string) => readonly string[]
  readonly setOffline: (isOffline: boolean) => void
  /** Adds a key for a team, which the proxy replaces with the team's own. */
  readonly addKey: (apiKey: string, team: Team) => void
  readonly revoke: (apiKey: string) => void
}

export const startKeyProxy = async (...teams: readonly Team[]): Promise<KeyProxy> => {
  const keys = new Map(teams.map((team) => [team.apiKey, team]))
  const requests: { readonly apiKey: string; readonly line: string }[] = []
  let isOffline = false
  const baseUrl = await listenOnLoopback((incoming, outgoing) => {
    const { method = 'GET', url = '/' } = incoming
    const path = url.replace(/\?.*/, '')
    const apiKey = (incoming.headers.authorization ?? '').replace(/^Bearer /, '')
    const team = keys.get(apiKey)
    if (isOffline) {
      incoming.socket.destroy()
      return
    }
    if (team === undefined) {
      requests.push({ apiKey, line: `${method} ${path} 401` })
      incoming.resume()
      outgoing.writeHead(401, { 'content-type': 'application/json' })
      outgoing.end(JSON.stringify({ statusCode: 401, name: 'invalid_api_key', message: 'API key is invalid' }))
      return
    }
    forwardRequest(incoming, outgoing, team.baseUrl, {
      headers: { ...incoming.headers, authorization: `Bearer ${team.apiKey}` },
      onStatus: (status) => requests.push({ apiKey, line: `${method} ${path} ${status}` }),
    })
  })
  return {
    baseUrl,
    requests: (of) => requests.filter(({ apiKey }) => of === undefined || apiKey === of).map(({ line }) => line),
    setOffline: (next) => {
      isOffline = next
    },
    addKey: (apiKey, team) => void keys.set(apiKey, team),
    revoke: (apiKey) => void keys.delete(apiKey),
  }
}
