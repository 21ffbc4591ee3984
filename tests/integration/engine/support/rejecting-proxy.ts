import { listenOnLoopback } from '../../../support/loopback-server.ts'
import type { TestPlatform } from './test-platform.ts'

/** A proxy that can reject single requests. */
export interface RejectingProxy {
  readonly baseUrl: string
  /** Answers requests with the returned status, unless it is null. A request is its method and path. */
  readonly refuse: (statusOf: (request: string) => number | null) => void
  readonly requests: () => readonly string[]
}

const json = (status: number): string => JSON.stringify({ statusCode: status, message: 'Not here.', name: 'error' })

/**
 * Serves the platform under another address, including its signed links. @param rename maps IDs of e-mails in threads
 */
export const startRejectingProxy = async (
  platform: Pick<TestPlatform, 'baseUrl'>,
  rename: (id: string) => string = (id) => id,
): Promise<RejectingProxy> => {
  const requests: string[] = []
  let statusOf: (request: string) => number | null = () => null
  const renamed = (body: string): string => {
    const { data, ...list } = JSON.parse(body) as { readonly data: readonly { readonly id: string }[] }
    return JSON.stringify({ ...list, data: data.map((email) => ({ ...email, id: rename(email.id) })) })
  }
  const baseUrl = await listenOnLoopback((incoming, outgoing) => {
    const { method = 'GET', url = '/' } = incoming
    const request = `${method} ${url.split('?')[0] ?? ''}`
    requests.push(request)
    const refused = statusOf(request)
    if (refused !== null) {
      outgoing.writeHead(refused, { 'content-type': 'application/json' }).end(json(refused))
      return
    }
    const headers = { authorization: incoming.headers.authorization ?? '', 'user-agent': 'linnet-tests' }
    fetch(`${platform.baseUrl}${url}`, { method, headers }).then(
      async (answer) => {
        const type = answer.headers.get('content-type') ?? ''
        outgoing.writeHead(answer.status, { 'content-type': type })
        if (!type.includes('json')) outgoing.end(Buffer.from(await answer.arrayBuffer()))
        else {
          const body = (await answer.text()).replaceAll(platform.baseUrl, baseUrl)
          outgoing.end(answer.ok && /\/threads\/[^/]+\/emails$/.test(request) ? renamed(body) : body)
        }
      },
      () => outgoing.destroy(),
    )
  })
  return {
    baseUrl,
    refuse: (next) => {
      statusOf = next
    },
    requests: () => requests,
  }
}
