/** Worker thread for the engine. This side of the port implements `EngineApi`, the host `HostLink`. */
import { parentPort, workerData } from 'node:worker_threads'
import { createBirpc } from 'birpc'
import type { EngineApi, HostLink } from '../shared/engine-api.ts'
import { delayNetwork } from './platform/load-undici.ts'
import { createEngine } from './engine.ts'
import { logSlowWork } from './store/watch-database.ts'

const port = parentPort
if (port === null) throw new Error('The engine must be started by a host as a worker thread.')

/** Start data from the host (`EngineWorkerData`); without it, the engine runs normally. */
const isSafe = (workerData as { readonly isSafe?: boolean } | null)?.isSafe === true

/** Allow the network after this time, even if no window has requested a list yet. */
const MAX_NETWORK_DELAY_MS = 1_500
delayNetwork(MAX_NETWORK_DELAY_MS)

const api = {} as EngineApi
const host = createBirpc<HostLink, EngineApi>(api, {
  post: (message) => port.postMessage(message),
  on: (listen) => port.on('message', listen),
  eventNames: ['event', 'keyAccepted', 'connectionTested', 'log'],
  // API calls have their own time-outs, and a first sync may take minutes.
  timeout: -1,
})
const options = {
  isSafe,
  routesTo: (origin: string) => host.routesTo(origin),
  connectionTested: (...tested: Parameters<HostLink['connectionTested']>) => void host.connectionTested(...tested),
}
Object.assign(api, createEngine(host, options))
logSlowWork((level, line) => void host.log(level, line))
