import { join } from 'node:path'
import type { BodyOwner, CallContext, Handlers, SavedFile } from '../shared/contract.ts'
import type { ExportTarget, RequestedFile } from '../shared/engine-api.ts'
import { ProblemError, unwrap, createProblem } from '../shared/result.ts'
import { toSafeFilename } from '../shared/safe-filename.ts'
import { serializeRules } from '../shared/rules.ts'
import { serializeSnippets } from '../shared/snippets.ts'
import { ALL_INBOXES, parseUnifiedThreadId } from '../shared/unified-ids.ts'
import { callEngine } from './engine-worker.ts'
import type { EngineSupervisor } from './engine-supervisor.ts'
import type { HostOptions } from './host-options.ts'

export interface ExportTargets {
  /** The target, or null if cancelled. @param lentFolder for files that Linnet keeps until they are fetched */
  readonly targetOf: (filename: string, lentFolder: string) => Promise<ExportTarget | null>
  /** @param fetched called once the file is fetched completely */
  readonly deliver: (path: string, fetched: () => void) => Promise<SavedFile>
}

/** Files are written only to a place that the user chose, never to a path from a window. */
export const createExportHandlers = (
  {
    dataDirectory,
    exportTargets,
    fileDrag,
    saveFile,
    saveFiles,
  }: Pick<HostOptions, 'dataDirectory' | 'exportTargets' | 'fileDrag' | 'saveFile' | 'saveFiles'>,
  engine: EngineSupervisor,
): Handlers<
  | 'export.start'
  | 'export.save'
  | 'contact.export'
  | 'contactTable.saveBadLines'
  | 'snippet.export'
  | 'rule.export'
  | 'original.save'
  | 'attachment.save'
  | 'attachment.saveAll'
  | 'picture.save'
  | 'fileDrag.start'
  | 'fileDrag.cancel'
> => {
  const idOf = ({ accountId }: Pick<CallContext, 'accountId'>): string => engine.accounts.find(accountId).id
  /** Finds the account of an e-mail, which its thread's ID names in “All inboxes”. */
  const ownerOf = (context: CallContext, of: BodyOwner): { readonly id: string; readonly of: BodyOwner } => {
    const at = context.accountId === ALL_INBOXES && of.list === 'threads' ? parseUnifiedThreadId(of.threadId) : null
    if (at === null || of.list !== 'threads') return { id: idOf(context), of }
    return { id: idOf(at), of: { ...of, inboxId: at.inboxId, threadId: at.threadId } }
  }
  const saveText = (filename: string, text: string): Promise<SavedFile> =>
    saveFile({ filename, content: new TextEncoder().encode(text) })
  const attachmentOf = async ({ id, of }: ReturnType<typeof ownerOf>, attachmentId: string): Promise<RequestedFile> =>
    unwrap(await engine.now().attachment(id, of, attachmentId))
  return {
    'export.start': async (wish, context) => {
      const id = idOf(context)
      const filename = `${toSafeFilename(wish.name) || 'Mail'}.${wish.format}`
      const target = await exportTargets.targetOf(filename, join(dataDirectory, 'accounts', id, 'exports'))
      return target === null ? null : unwrap(await engine.now().startExport(id, wish, target))
    },
    'export.save': async ({ id }, context) => {
      const accountId = idOf(context)
      const all = await callEngine(engine.now(), accountId, 'export.list', {}, context.caller)
      const done = all.find((each) => each.id === id && each.stage === 'done')
      if (done === undefined) {
        throw createProblem('not_found', 'This export no longer exists.')
      }
      return exportTargets.deliver(
        done.path,
        () => void engine.now().call(accountId, 'export.cancel', { id }, context.caller),
      )
    },
    'contact.export': async (_input, context) => saveFile(unwrap(await engine.now().contactTable(idOf(context)))),
    'contactTable.saveBadLines': async (input, context) => {
      const { text } = await callEngine(engine.now(), idOf(context), 'contactTable.badLines', input, context.caller)
      return saveText('Lines left out.csv', text)
    },
    'snippet.export': async (_input, context) => {
      const all = await callEngine(engine.now(), idOf(context), 'snippet.list', {}, context.caller)
      return saveText('Signatures and canned replies.json', serializeSnippets(all))
    },
    'rule.export': async (_input, context) => {
      const all = await callEngine(engine.now(), idOf(context), 'rule.portable', {}, context.caller)
      return saveText('Rules.json', serializeRules(all))
    },
    'original.save': async (input, context) => {
      const { id, of } = ownerOf(context, input.of)
      return saveFile(unwrap(await engine.now().original(id, of)))
    },
    'attachment.save': async ({ of, attachmentId }, context) =>
      saveFile(await attachmentOf(ownerOf(context, of), attachmentId)),
    'picture.save': async ({ url, ...input }, context) => {
      const { id, of } = ownerOf(context, input.of)
      return saveFile(unwrap(await engine.now().picture(id, of, url)))
    },
    'fileDrag.start': ({ attachmentId, ...input }, context) => {
      if (fileDrag === null) throw createProblem('not_found', 'You can’t drag files out of a browser. Save them.')
      const owner = ownerOf(context, input.of)
      return fileDrag.start(context.caller, async () =>
        attachmentId === null
          ? unwrap(await engine.now().original(owner.id, owner.of))
          : attachmentOf(owner, attachmentId),
      )
    },
    'fileDrag.cancel': (_input, { caller }) => fileDrag?.cancel(caller),
    'attachment.saveAll': async (input, context) => {
      const owner = ownerOf(context, input.of)
      const { id, of } = owner
      const { items, problem } = await callEngine(engine.now(), id, 'attachment.list', { of }, context.caller)
      if (problem !== null) throw new ProblemError(problem)
      const each = async function* (): AsyncGenerator<RequestedFile> {
        for (const item of items) yield await attachmentOf(owner, item.id)
      }
      return saveFiles('Attachments', each())
    },
  }
}
