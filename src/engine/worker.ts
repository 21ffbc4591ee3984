/** The thread in which a host runs the engine: `EngineLink` on this side of the port, `HostLink` on the other. */
import { parentPort, workerData } from 'node:worker_threads'
import { createBirpc, type BirpcReturn } from 'birpc'
import type { EngineLink, HostLink } from '../shared/engine-link.ts'
import type { Log } from '../shared/log.ts'
import { partsWorkerFile } from './attachments/read-parts.ts'
import { backupWorkerFile } from './backup/backup-task.ts'
import { holdNetwork } from './api/load-undici.ts'
import { createEngine } from './engine.ts'
import { noteSlowness } from './slowness.ts'

const port = parentPort
if (port === null) throw new Error('The engine is started as a thread by a host.')

/** What the host starts this thread with (`EngineStart`); a program that starts it otherwise has the usual engine. */
const isSafe = (workerData as { readonly isSafe?: boolean } | null)?.isSafe === true

/** A start that has not asked for a list by then is not kept offline for it. */
const FIRST_LIST_MS = 1_500
holdNetwork(FIRST_LIST_MS)

const log: Log = (level, line) => void host.log.asEvent(level, line)

const host: BirpcReturn<HostLink, EngineLink> = createBirpc<HostLink, EngineLink>(
  createEngine(
    {
      event: (accountId, event) => void host.event.asEvent(accountId, event),
      keyAccepted: (accountId, apiKey, inboxes) => void host.keyAccepted.asEvent(accountId, apiKey, inboxes),
      log,
    },
    {
      partsWorker: partsWorkerFile(import.meta.filename),
      backupWorker: backupWorkerFile(import.meta.filename),
      isSafe,
    },
  ),
  {
    post: (message) => port.postMessage(message),
    on: (listen) => port.on('message', listen),
    // The API has time-outs of its own, and a first sync may take minutes.
    timeout: -1,
  },
)

noteSlowness(log)
