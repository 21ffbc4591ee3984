import { join } from 'node:path'
import type { Handlers, SavedFile } from '../shared/contract.ts'
import type { ExportTarget, RequestedFile } from '../shared/engine-api.ts'
import { EXPORT_EXTENSIONS } from '../shared/export.ts'
import { ProblemError, unwrap } from '../shared/result.ts'
import { toSafeFilename } from '../shared/safe-filename.ts'
import { serializeRules } from '../shared/rules.ts'
import { serializeSnippets } from '../shared/snippets.ts'
import { callEngine, type EngineWorker } from './engine-worker.ts'

export interface ExportTargets {
  /** The target, or null if cancelled. @param lentFolder for files that Linnet keeps until they are fetched */
  readonly targetOf: (filename: string, lentFolder: string) => Promise<ExportTarget | null>
  /** @param fetched called once the file is fetched completely */
  readonly deliver: (path: string, fetched: () => void) => Promise<SavedFile>
}

/** Files are written only to a place that the user chose, never to a path from a window. */
export const createExportHandlers = (parts: {
  readonly targets: ExportTargets
  readonly saveFile: (file: RequestedFile) => Promise<SavedFile>
  readonly engine: () => EngineWorker
  readonly account: (accountId: string | null) => { readonly id: string; readonly directory: string }
}): Handlers<
  'export.start' | 'export.save' | 'contact.export' | 'contactTable.saveBadLines' | 'snippet.export' | 'rule.export'
> => {
  const { targets, saveFile, engine, account } = parts
  return {
    'export.start': async (wish, { accountId }) => {
      const { id, directory } = account(accountId)
      const filename = `${toSafeFilename(wish.name) || 'Mail'}.${EXPORT_EXTENSIONS[wish.format]}`
      const target = await targets.targetOf(filename, join(directory, 'exports'))
      return target === null ? null : unwrap(await engine().startExport(id, wish, target))
    },
    'export.save': async ({ id }, context) => {
      const { id: accountId } = account(context.accountId)
      const all = await callEngine(engine(), accountId, 'export.list', {}, context.caller)
      const done = all.find((each) => each.id === id && each.stage === 'done')
      if (done === undefined) {
        throw new ProblemError({ code: 'not_found', message: 'This export no longer exists.' })
      }
      return targets.deliver(done.path, () => void engine().call(accountId, 'export.cancel', { id }, context.caller))
    },
    'contact.export': async (_input, { accountId }) =>
      saveFile(unwrap(await engine().contactTable(account(accountId).id))),
    'contactTable.saveBadLines': async (input, context) => {
      const { id } = account(context.accountId)
      const { text } = await callEngine(engine(), id, 'contactTable.badLines', input, context.caller)
      return saveFile({ filename: 'Lines left out.csv', content: new TextEncoder().encode(text) })
    },
    'snippet.export': async (_input, context) => {
      const { id } = account(context.accountId)
      const all = await callEngine(engine(), id, 'snippet.list', {}, context.caller)
      return saveFile({
        filename: 'Signatures and canned replies.json',
        content: new TextEncoder().encode(serializeSnippets(all)),
      })
    },
    'rule.export': async (_input, context) => {
      const { id } = account(context.accountId)
      const all = await callEngine(engine(), id, 'rule.portable', {}, context.caller)
      return saveFile({ filename: 'Rules.json', content: new TextEncoder().encode(serializeRules(all)) })
    },
  }
}
