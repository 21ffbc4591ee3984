import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SignInAttempt, Credentials, EngineApi } from '../shared/engine-api.ts'
import { ProblemError, unwrap, createProblem } from '../shared/result.ts'

/** Time for the user to find their password, in milliseconds. */
const SIGN_IN_TIMEOUT_MS = 10 * 60_000
const PATH = '/oauth/callback'

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

const renderPage = (words: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>Linnet</title>
<style>body { font: 16px/1.6 system-ui, sans-serif; margin: 30vh auto; max-width: 26rem; text-align: center }</style>
<p>${words}</p>
</html>
`

const isSame = (one: string, other: string): boolean => {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}

const cancelled = (): ProblemError => createProblem('cancelled', 'The sign-in was cancelled.')
const late = (): ProblemError => createProblem('refused', 'The sign-in timed out after ten minutes. Start again.')

interface PendingSignIn {
  readonly begun: SignInAttempt
  readonly answered: Promise<string>
  readonly stop: AbortController
}

/** The query of the OAuth redirect, or null for any other request to the port. */
const queryOf = ({ method, url = '', headers }: IncomingMessage, port: number, state: string): string | null => {
  const isHere = method === 'GET' && headers.host === `127.0.0.1:${port}`
  const asked = isHere && URL.canParse(url, 'http://127.0.0.1') ? new URL(url, 'http://127.0.0.1') : null
  const isBack = asked?.pathname === PATH && isSame(asked.searchParams.get('state') ?? '', state)
  return isBack ? asked.search.slice(1) : null
}

const respond = (response: ServerResponse, status: number, words: string): void => {
  response.writeHead(status, { ...HEADERS, connection: 'close' })
  response.end(renderPage(words))
}

const waitFor = (server: Server, port: number, begun: SignInAttempt): PendingSignIn => {
  const stop = new AbortController()
  server.unref()
  const timer = setTimeout(() => {
    server.close()
    stop.abort(late())
  }, SIGN_IN_TIMEOUT_MS)
  timer.unref()
  const answered = new Promise<string>((resolve, reject) => {
    const close = (): void => {
      clearTimeout(timer)
      server.close()
      server.closeIdleConnections()
    }
    stop.signal.addEventListener('abort', () => {
      const reason = stop.signal.reason as ProblemError
      // The browser may still show the cancelled sign-in page, which redirects here. Keep the server open.
      if (reason.problem.code !== 'cancelled') close()
      reject(reason)
    })
    server.on('request', (request, response) => {
      const query = queryOf(request, port, begun.state)
      if (query === null) {
        respond(response, 400, 'There is no sign-in at this address. Go back to Linnet.')
        return
      }
      const isNo = new URLSearchParams(query).has('error')
      if (stop.signal.aborted) respond(response, 410, 'This sign-in was cancelled or started again. Go back to Linnet.')
      else
        respond(
          response,
          200,
          `${isNo ? 'No account was connected. ' : ''}You can close this page and go back to Linnet.`,
        )
      close()
      resolve(query)
    })
  })
  // When this rejects, nobody may be awaiting it.
  answered.catch(() => undefined)
  return { begun, answered, stop }
}

/** Browser sign-in (RFC 8252, 7.3), one at a time. Any local program can reach the port; only the redirect counts. */
export class BrowserSignIn {
  readonly #engine: () => Pick<EngineApi, 'beginSignIn' | 'finishSignIn' | 'parseBaseUrl'>
  readonly #clientId: string | null
  #pending: PendingSignIn | null = null

  constructor(engine: () => Pick<EngineApi, 'beginSignIn' | 'finishSignIn' | 'parseBaseUrl'>, clientId: string | null) {
    this.#engine = engine
    this.#clientId = clientId
  }

  /** @returns the sign-in page's URL @throws ProblemError from `beginSignIn` */
  async begin(typed: string): Promise<{ readonly url: string }> {
    this.cancel()
    const baseUrl = unwrap(await this.#engine().parseBaseUrl(typed))
    const server = createServer()
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(0, '127.0.0.1', resolve)
    })
    const { port } = server.address() as AddressInfo
    const redirectUri = `http://127.0.0.1:${port}${PATH}`
    const begun = await this.#engine().beginSignIn(baseUrl, redirectUri, this.#clientId)
    if (!begun.ok) {
      server.close()
      throw new ProblemError(begun.error)
    }
    // Another sign-in may have started in the meantime.
    this.cancel()
    this.#pending = waitFor(server, port, begun.data)
    return { url: begun.data.url }
  }

  /** Returns credentials to store instead of a key. @param url sign-in page to wait for, by default the latest */
  async finish(url?: string): Promise<Credentials> {
    const waiting = this.#pending
    if (waiting === null || (url !== undefined && url !== waiting.begun.url)) throw cancelled()
    try {
      const answered = await waiting.answered
      const { baseUrl } = waiting.begun
      return { baseUrl, apiKey: unwrap(await this.#engine().finishSignIn(waiting.begun, answered)) }
    } finally {
      if (this.#pending === waiting) this.#pending = null
    }
  }

  cancel(): void {
    this.#pending?.stop.abort(cancelled())
    this.#pending = null
  }
}
