/** Worker thread for the engine. This side of the port implements `EngineApi`, the host `HostLink`. */
import { parentPort, workerData } from 'node:worker_threads'
import { createBirpc, type BirpcReturn } from 'birpc'
import type { EngineApi, HostLink } from '../shared/engine-api.ts'
import { partsWorkerFile } from './mail/attachments/parse-in-worker.ts'
import { backupWorkerFile } from './files/backup/backup-task.ts'
import { delayNetwork } from './platform/load-undici.ts'
import { createEngine } from './engine.ts'
import { logSlowWork } from './store/slow-queries.ts'

const port = parentPort
if (port === null) throw new Error('The engine must be started by a host as a worker thread.')

/** Start data from the host (`EngineWorkerData`); without it, the engine runs normally. */
const isSafe = (workerData as { readonly isSafe?: boolean } | null)?.isSafe === true

/** Allow the network after this time, even if no window has requested a list yet. */
const MAX_NETWORK_DELAY_MS = 1_500
delayNetwork(MAX_NETWORK_DELAY_MS)

const engine = createEngine(
  { event, keyAccepted, keyRenewed, log },
  {
    partsWorker: partsWorkerFile(import.meta.filename),
    backupWorker: backupWorkerFile(import.meta.filename),
    isSafe,
    routesTo,
    connectionTested,
  },
)
const host: BirpcReturn<HostLink, EngineApi> = createBirpc<HostLink, EngineApi>(engine, {
  post: (message) => port.postMessage(message),
  on: (listen) => port.on('message', listen),
  // API calls have their own time-outs, and a first sync may take minutes.
  timeout: -1,
})

function event(...args: Parameters<HostLink['event']>): void {
  void host.event.asEvent(...args)
}
function keyAccepted(...args: Parameters<HostLink['keyAccepted']>): void {
  void host.keyAccepted.asEvent(...args)
}
function connectionTested(...args: Parameters<HostLink['connectionTested']>): void {
  void host.connectionTested.asEvent(...args)
}
function log(...args: Parameters<HostLink['log']>): void {
  void host.log.asEvent(...args)
}

function keyRenewed(...args: Parameters<HostLink['keyRenewed']>): ReturnType<HostLink['keyRenewed']> {
  return host.keyRenewed(...args)
}

function routesTo(origin: string): ReturnType<HostLink['routesTo']> {
  return host.routesTo(origin)
}

logSlowWork(log)
