import { createServer, request as ask } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** An account behind the door: whoever has its key is let through to its platform. */
interface Team {
  readonly baseUrl: string
  readonly apiKey: string
}

/** One base URL for the accounts of several platforms, which can be taken off the network. */
export interface PlatformDoor {
  readonly baseUrl: string
  /** What was asked for, such as `GET /inboxes 200`, without the queries. */
  readonly requests: () => readonly string[]
  readonly setOffline: (isOffline: boolean) => void
  /** Gives a team one more key, which the door turns into the team's own. */
  readonly addKey: (apiKey: string, team: Team) => void
  readonly revoke: (apiKey: string) => void
}

export const openPlatformDoor = async (...teams: readonly Team[]): Promise<PlatformDoor> => {
  const keys = new Map(teams.map((team) => [team.apiKey, team]))
  const requests: string[] = []
  let isOffline = false
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/' } = incoming
    const path = url.replace(/\?.*/, '')
    const team = keys.get((incoming.headers.authorization ?? '').replace(/^Bearer /, ''))
    outgoing.on('error', () => undefined)
    incoming.on('error', () => undefined)
    if (isOffline) {
      incoming.socket.destroy()
      return
    }
    if (team === undefined) {
      requests.push(`${method} ${path} 401`)
      incoming.resume()
      outgoing.writeHead(401, { 'content-type': 'application/json' })
      outgoing.end(JSON.stringify({ statusCode: 401, name: 'invalid_api_key', message: 'API key is invalid' }))
      return
    }
    const headers = { ...incoming.headers, authorization: `Bearer ${team.apiKey}` }
    const forwarded = ask(`${team.baseUrl}${url}`, { method, headers }, (answer) => {
      requests.push(`${method} ${path} ${answer.statusCode ?? 0}`)
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    setOffline: (next) => {
      isOffline = next
    },
    addKey: (apiKey, team) => void keys.set(apiKey, team),
    revoke: (apiKey) => void keys.delete(apiKey),
  }
}
