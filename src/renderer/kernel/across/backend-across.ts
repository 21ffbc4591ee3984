import {
  contract,
  type CommandInput,
  type CommandName,
  type CommandOutput,
  type CommandsAcross,
  type EventName,
  type Events,
} from '../../../shared/contract.ts'
import { assigneeHandlers } from './assignee-handlers.ts'
import { ok, toProblem, type Result } from '../../../shared/result.ts'
import type { Backend } from '../backend.ts'
import { ACROSS } from './across-ids.ts'
import { ChangesAcross } from './changes-across.ts'
import { draftHandlers } from './draft-handlers.ts'
import { eventsAcross } from './events-across.ts'
import { inboxHandlers } from './inbox-handlers.ts'
import { keptHandlers } from './kept-handlers.ts'
import { LabelsAcross } from './labels-across.ts'
import { ONE_ACCOUNT, OpenAccounts, type HandlerAcross, type Naming } from './open-accounts.ts'
import { peopleHandlers } from './people-handlers.ts'
import { Places } from './places.ts'
import { mapResult } from './results.ts'
import { SyncAcross } from './sync-across.ts'
import { threadHandlers } from './thread-handlers.ts'

type Joined = { readonly [Name in CommandsAcross<'joined'>]: HandlerAcross<Name> }

type Listener = (payload: never, accountId: string | null) => void

/**
 * The door to all open accounts as if they were one account with one inbox (`ACROSS`), in which the threads of all their
 * inboxes lie: what shows an account's mail shows theirs, with the same lists, search, selection, keys and undo. Labels of
 * one name are one label. Threads, labels and changes have IDs that say whose they are (`across-ids`). The contract says
 * which way each command goes; those that are `joined` have a handler here.
 * @param door of no account
 * @param accountIds of the accounts that are open, as they are now, in the person's order
 */
export const createBackendAcross = (door: Backend, accountIds: () => readonly string[]): Backend => {
  const ownListeners = new Map<EventName, readonly Listener[]>()
  const tell = <Name extends EventName>(name: Name, payload: Events[Name]): void => {
    for (const handler of ownListeners.get(name) ?? []) handler(payload as never, null)
  }
  const accounts = new OpenAccounts(door, accountIds)
  const places = new Places(accounts)
  const labels = new LabelsAcross(accounts, places, () => tell('labels.changed', { inboxId: ACROSS, replaced: [] }))
  const changes = new ChangesAcross(accounts, places, labels)
  const sync = new SyncAcross(accounts)
  const parts = { accounts, places, labels, changes }
  const joined: Joined = {
    ...inboxHandlers(parts, (payload) => tell('threads.changed', payload)),
    ...threadHandlers(door, parts),
    ...draftHandlers(accounts),
    ...peopleHandlers(accounts, places),
    ...assigneeHandlers(accounts, places),
    ...keptHandlers(accounts, places),
    'sync.status': () => sync.read(),
    // What the window says of itself to each account it says elsewhere.
    'window.activity': () => Promise.resolve(ok(null)),
  }
  const translate = eventsAcross(places, labels, sync)

  const call = async <Name extends CommandName>(
    name: Name,
    input: CommandInput<Name>,
  ): Promise<Result<CommandOutput<Name>>> => {
    switch (contract[name].across) {
      case 'window':
        return door.call(name, input)
      case 'owner':
        return accounts.ofOwner(input as CommandInput<Name> & Naming, (account, there) => account.call(name, there))
      case 'open':
        return accounts.ofOpen((account) => account.call(name, input))
      case 'each':
        return mapResult(
          await accounts.gather((account) => account.call(name, input)),
          // What goes to each answers null.
          () => null as CommandOutput<Name>,
        )
      case 'refused':
        return ONE_ACCOUNT
      case 'joined': {
        // The contract has tied this name to this handler; TypeScript cannot follow a union of functions that far.
        const handler = joined[name as CommandsAcross<'joined'>] as unknown as HandlerAcross<Name>
        return handler(input)
      }
    }
  }

  const openDoor = (on: Backend, ending: AbortSignal | null): Backend => ({
    call: (name, input) => call(name, input).catch((thrown: unknown) => ({ ok: false, error: toProblem(thrown) })),
    on: <Name extends EventName>(name: Name, handler: (payload: Events[Name], accountId: string | null) => void) => {
      const isEnded = (): boolean => ending?.aborted === true
      const own: Listener = handler
      ownListeners.set(name, [...(ownListeners.get(name) ?? []), own])
      ending?.addEventListener('abort', () => {
        ownListeners.set(
          name,
          (ownListeners.get(name) ?? []).filter((listener) => listener !== own),
        )
      })
      on.on(name, (payload, accountId) => {
        // What the host tells is about no account.
        if (accountId === null) handler(payload, accountId)
        else if (accountIds().includes(accountId)) {
          const told = translate[name]?.(accountId, payload) ?? payload
          if (told instanceof Promise) void told.then((here) => (isEnded() ? undefined : handler(here, accountId)))
          else handler(told, accountId)
        }
      })
    },
    until: (signal) => openDoor(on.until(signal), signal),
    of: (accountId) => door.of(accountId),
  })

  // Another account is open, or one is not any more: every list has other rows.
  let known = accountIds().join(' ')
  door.on('account.changed', () => {
    const now = accountIds().join(' ')
    if (now === known) return
    known = now
    tell('inboxes.changed', null)
  })
  return openDoor(door, null)
}
