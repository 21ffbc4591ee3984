import type { Result } from '../../../shared/result.ts'
import type { Backend } from '../backend.ts'
import { joinIds } from './across-ids.ts'
import type { HandlerAcross, HandlersAcross, OpenAccounts } from './open-accounts.ts'
import type { Places } from './places.ts'
import { anyOf, interleave, mapResult } from './results.ts'
import { inThreadAcross, threadAcross } from './thread-handlers.ts'

export const peopleHandlers = (
  accounts: OpenAccounts,
  places: Places,
): HandlersAcross<'person'> &
  HandlersAcross<'contact'> &
  HandlersAcross<'contactTable'> &
  HandlersAcross<'topic'> &
  HandlersAcross<'suppression'> => {
  const person =
    <Name extends 'person.get' | 'person.refresh'>(name: Name): HandlerAcross<Name> =>
    (input) =>
      accounts.ofOpen(async (account, accountId) =>
        mapResult(await account.call(name, input), (found) => ({
          ...found,
          threads: found.threads.map((thread) => threadAcross(accountId, thread)),
          sent: found.sent.map((email) => inThreadAcross(accountId, email)),
        })),
      )
  /** A change that a person undoes by its ID. */
  const undoable = <Output extends { readonly changeId: string }>(
    ask: (account: Backend) => Promise<Result<Output>>,
  ): Promise<Result<Output>> =>
    accounts.ofOpen(async (account, accountId) =>
      mapResult(await ask(account), (receipt) => ({
        ...receipt,
        changeId: joinIds([{ accountId, id: receipt.changeId }]),
      })),
    )
  return {
    'person.get': person('person.get'),
    'person.refresh': person('person.refresh'),
    'person.suggest': async (input) => {
      if (!('inboxId' in input)) return accounts.ofOpen((account) => account.call('person.suggest', input))
      const asked = (await places.all()).map(({ accountId, inbox }) =>
        accounts.of(accountId).call('person.suggest', { ...input, inboxId: inbox.id }),
      )
      return mapResult(anyOf(await Promise.all(asked)), (found) =>
        interleave(found, ({ address }) => address.toLowerCase()).slice(0, input.limit),
      )
    },
    'contact.ofAddress': async (input) =>
      mapResult(
        await accounts.gather((account) => account.call('contact.ofAddress', input)),
        (found) => found.find((contact) => contact !== null) ?? null,
      ),
    'contact.add': (input) => undoable((account) => account.call('contact.add', input)),
    'contact.update': (input) => undoable((account) => account.call('contact.update', input)),
    'contact.delete': (input) => undoable((account) => account.call('contact.delete', input)),
    'contact.setSegments': (input) => undoable((account) => account.call('contact.setSegments', input)),
    'suppression.remove': (input) =>
      accounts.ofOwner(input, async (account, there, accountId) =>
        mapResult(await account.call('suppression.remove', there), ({ changeId }) => ({
          changeId: joinIds([{ accountId, id: changeId }]),
        })),
      ),
    'contactTable.import': (input) => undoable((account) => account.call('contactTable.import', input)),
    'topic.setForMany': (input) => undoable((account) => account.call('topic.setForMany', input)),
    'topic.create': (input) => undoable((account) => account.call('topic.create', input)),
    'topic.update': (input) => undoable((account) => account.call('topic.update', input)),
    'topic.delete': (input) => undoable((account) => account.call('topic.delete', input)),
    'contact.setTopic': (input) => undoable((account) => account.call('contact.setTopic', input)),
  }
}
