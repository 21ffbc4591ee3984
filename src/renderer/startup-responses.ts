import type { AddressedEvent, CommandInput, CommandOutput, Transport } from '../shared/contract.ts'
import { STARTUP_RESPONSES_ID, requestKey, type StartupResponse } from '../shared/startup-responses.ts'
import { toProblem, type Result } from '../shared/result.ts'

/** Maximum wait for the first paint in milliseconds: a hidden page is never painted. */
const MAX_WAIT_MS = 1_000

/** Reads the data that the host embedded in the page, and removes it. */
export const takeStartupResponses = (page: Document): readonly StartupResponse[] => {
  const element = page.getElementById(STARTUP_RESPONSES_ID)
  element?.remove()
  // Safe to trust: the host wrote it from its own responses.
  return element === null ? [] : (JSON.parse(element.textContent) as readonly StartupResponse[])
}

/** Resolves once the current changes are painted. */
const painted = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, MAX_WAIT_MS)
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()))
  })

const eventOf = ({ name, accountId, input }: StartupResponse, result: Result<unknown>): AddressedEvent | null => {
  switch (name) {
    case 'account.state':
      return result.ok
        ? { name: 'account.changed', payload: result.data as CommandOutput<'account.state'>, accountId }
        : null
    case 'inbox.list':
      return { name: 'inboxes.changed', payload: null, accountId }
    case 'label.list': {
      const { inboxId } = input as CommandInput<'label.list'>
      return { name: 'labels.changed', payload: { inboxId, replaced: [] }, accountId }
    }
    case 'thread.list': {
      const { query } = input as CommandInput<'thread.list'>
      const [inboxId = ''] = query.inboxIds
      const lists = { folders: query.folders ?? [], labelIds: query.labelIds, threadIds: [], searches: [] }
      return { name: 'threads.changed', payload: { inboxId, ...lists }, accountId }
    }
  }
}

/**
 * Answers the window's first requests with responses from the previous session, so its list appears before the engine
 * is ready. Repeats the requests to the host after the paint, and emits events for responses that differ.
 */
export const withStartupResponses = (
  { call, subscribe }: Transport,
  answers: readonly StartupResponse[],
  whenPainted: () => Promise<void> = painted,
): Transport => {
  const kept = new Map(answers.map((each) => [requestKey(each.name, each.input, each.accountId), each]))
  const asked = new Set<string>()
  const listeners = new Set<(event: AddressedEvent) => void>()
  let isPainted: Promise<void> | null = null

  const requestFromHost = async ({ name, input, accountId }: StartupResponse): Promise<Result<unknown>> => {
    try {
      // The host always returns a `Result`.
      return (await call(name, input, accountId)) as Result<unknown>
    } catch (thrown) {
      return { ok: false, error: toProblem(thrown) }
    }
  }
  const revalidate = async (key: string, answer: StartupResponse): Promise<void> => {
    asked.add(key)
    await (isPainted ??= whenPainted())
    const result = await requestFromHost(answer)
    kept.delete(key)
    if (result.ok && JSON.stringify(result.data) === JSON.stringify(answer.data)) return
    const event = eventOf(answer, result)
    if (event !== null) listeners.forEach((listener) => listener(event))
  }

  return {
    call: (name, input, accountId) => {
      const key = requestKey(name, input, accountId)
      const answer = kept.get(key)
      if (answer === undefined) return call(name, input, accountId)
      if (!asked.has(key)) void revalidate(key, answer)
      return Promise.resolve({ ok: true, data: answer.data } satisfies Result<unknown>)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      const unsubscribe = subscribe(listener)
      return () => {
        listeners.delete(listener)
        unsubscribe()
      }
    },
  }
}
