import type { BodyOwner, Handlers } from '../shared/contract.ts'
import type { RequestedFile } from '../shared/engine-api.ts'
import { ProblemError, unwrap } from '../shared/result.ts'
import type { EngineSupervisor } from './engine-supervisor.ts'
import { callEngine } from './engine-worker.ts'
import type { HostOptions } from './host-options.ts'

export const createSaveHandlers = (
  { saveFile, saveFiles }: Pick<HostOptions, 'saveFile' | 'saveFiles'>,
  engine: EngineSupervisor,
): Handlers<'original.save' | 'attachment.save' | 'attachment.saveAll' | 'picture.save'> => {
  const attachmentOf = async (accountId: string, of: BodyOwner, attachmentId: string): Promise<RequestedFile> =>
    unwrap(await engine.now().attachment(accountId, of, attachmentId))
  return {
    'original.save': async ({ of }, { accountId }) =>
      saveFile(unwrap(await engine.now().original(engine.accounts.find(accountId).id, of))),
    'attachment.save': async ({ of, attachmentId }, { accountId }) =>
      saveFile(await attachmentOf(engine.accounts.find(accountId).id, of, attachmentId)),
    'picture.save': async ({ of, url }, { accountId }) =>
      saveFile(unwrap(await engine.now().picture(engine.accounts.find(accountId).id, of, url))),
    'attachment.saveAll': async ({ of }, { accountId, caller }) => {
      const account = engine.accounts.find(accountId)
      const { items, problem } = await callEngine(engine.now(), account.id, 'attachment.list', { of }, caller)
      if (problem !== null) throw new ProblemError(problem)
      const each = async function* (): AsyncGenerator<RequestedFile> {
        for (const { id } of items) yield await attachmentOf(account.id, of, id)
      }
      return saveFiles('Attachments', each())
    },
  }
}
