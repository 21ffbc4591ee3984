import type { AddressedEvent } from '../shared/contract.ts'
import { MAX_REQUEST_LENGTH, INPUT_TOO_LARGE_MESSAGE } from '../shared/input-bounds.ts'
import { fail, type Problem, type Result } from '../shared/result.ts'
import type { ConnectedTransport, ConnectionState } from './kernel/backend.ts'

const STOPPED: Problem = {
  code: 'unreachable',
  message: 'Linnet has stopped. Start it again from your terminal or app menu; nothing is lost.',
}

/** Milliseconds until the next attempt: 250, doubled each time, at most ten seconds. */
export const computeReconnectDelay = (attempt: number): number => Math.min(10_000, 250 * 2 ** attempt)

type ServerMessage = { readonly id: number; readonly result: Result<unknown> } | { readonly event: AddressedEvent }

/** The transport's browser dependencies. Tests supply their own. */
export interface BrowserTransportDependencies {
  readonly openSocket: (windowKey: string) => WebSocket
  /**
   * Makes a plain HTTP request, because a WebSocket hides the status. `port` is where a restarted host now listens.
   * Null without a response.
   */
  readonly ask: (windowKey: string) => Promise<{ readonly status: number; readonly port: string | null } | null>
  readonly wait: (milliseconds: number, then: () => void) => void
}

const SOCKET_PATH = '/socket'

/** Storage item of the window key, which the browser host sets. A newly opened tab may update it. */
export const WINDOW_KEY_ITEM = 'linnet-window-key'

/** The key this page got from the browser host when it was let in. */
export const loadWindowKey = (): string => localStorage.getItem(WINDOW_KEY_ITEM) ?? 'none'

const browserLine: BrowserTransportDependencies = {
  openSocket: (windowKey) =>
    new WebSocket(`${location.origin.replace(/^http/, 'ws')}${SOCKET_PATH}`, ['linnet', windowKey]),
  ask: async (windowKey) => {
    try {
      const headers = { 'x-linnet-window-key': windowKey }
      const answer = await fetch(SOCKET_PATH, { cache: 'no-store', headers })
      return { status: answer.status, port: answer.headers.get('x-linnet-port') }
    } catch {
      return null
    }
  },
  wait: (milliseconds, then) => void setTimeout(then, milliseconds),
}

/** One WebSocket, reopened with growing delays. Calls fail while it is closed: a retry could make a change twice. */
export const createBrowserTransport = (
  windowKey: string,
  line: BrowserTransportDependencies = browserLine,
): ConnectedTransport => {
  const waiting = new Map<number, (result: Result<unknown>) => void>()
  const listeners = new Set<(event: AddressedEvent) => void>()
  const watchers = new Set<Parameters<ConnectedTransport['watchConnection']>[0]>()
  // Calls made before the first connection opens are queued.
  let early: string[] = []
  let state: ConnectionState = 'connecting'
  let socket: WebSocket | null = null
  let attempt = 0
  let lastId = 0
  let movedTo: string | null = null

  const become = (next: ConnectionState): void => {
    state = next
    for (const watcher of watchers) watcher(next, movedTo)
  }

  const receive = (message: ServerMessage): void => {
    if ('event' in message) {
      for (const listener of listeners) listener(message.event)
      return
    }
    waiting.get(message.id)?.(message.result)
    waiting.delete(message.id)
  }

  const dropped = async (): Promise<void> => {
    socket = null
    early = []
    for (const answer of waiting.values()) answer({ ok: false, error: STOPPED })
    waiting.clear()
    const answer = await line.ask(windowKey)
    if (answer?.status === 401 || answer?.status === 410) {
      movedTo = answer.status === 410 && /^\d{1,5}$/.test(answer.port ?? '') ? answer.port : null
      become('refused')
      return
    }
    become('lost')
    line.wait(computeReconnectDelay(attempt), connect)
    attempt += 1
  }

  function connect(): void {
    const opening = line.openSocket(windowKey)
    opening.addEventListener('open', () => {
      socket = opening
      attempt = 0
      for (const message of early) opening.send(message)
      early = []
      become('open')
    })
    opening.addEventListener('message', ({ data }) => receive(JSON.parse(String(data)) as ServerMessage))
    opening.addEventListener('close', () => void dropped())
  }
  connect()

  return {
    call: (name, input, accountId) => {
      if (state === 'refused')
        return Promise.resolve(
          fail(
            'unreachable',
            'This tab is out of date because Linnet was restarted. Open Linnet again from your terminal or app menu.',
          ),
        )
      if (socket === null && state !== 'connecting') return Promise.resolve({ ok: false, error: STOPPED })
      lastId += 1
      const id = lastId
      const message = JSON.stringify({ id, name, input, accountId })
      // The host would close the connection for such a message.
      if (message.length > MAX_REQUEST_LENGTH) return Promise.resolve(fail('invalid_input', INPUT_TOO_LARGE_MESSAGE))
      if (socket === null) early.push(message)
      else socket.send(message)
      return new Promise((resolve) => waiting.set(id, resolve))
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    watchConnection: (listener) => {
      watchers.add(listener)
      listener(state, movedTo)
    },
  }
}
