/** The spell-check worker. Keeps the main process responsive and isolates crashes caused by a dictionary. */
import { parentPort, workerData } from 'node:worker_threads'
import { openHunspell } from './open-hunspell.ts'
import type { SpellingResponse, SpellingRequest, SpellingWorkerData } from './spelling-messages.ts'

const { wasmFile, dictionaries } = workerData as SpellingWorkerData
const opened = openHunspell(wasmFile, dictionaries)

const answer = async ({ id, kind, words }: SpellingRequest): Promise<SpellingResponse> => {
  const hunspell = await opened
  return {
    id,
    words:
      kind === 'check'
        ? words.filter((word) => !hunspell.isRight(word))
        : words.flatMap((word) => hunspell.suggest(word)),
  }
}

// An exception stops the thread, which notifies its owner.
parentPort?.on('message', (question: SpellingRequest) => {
  void answer(question).then((words) => parentPort?.postMessage(words))
})
