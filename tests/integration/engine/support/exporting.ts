import { join } from 'node:path'
import type { ExportRequest, ExportState } from '../../../../src/shared/export.ts'
import { eventually } from './eventually.ts'
import { expectOk, type TestEngine } from './test-engine.ts'

export const EVERYTHING = { kind: 'everything' } as const

const stateOf = async (engine: TestEngine, id: string): Promise<ExportState> => {
  const found = (await engine.call('export.list', {})).find((state) => state.id === id)
  if (found === undefined) throw new Error('The export is not there.')
  return found
}

/** Waits until an export reaches a stage, as long as it makes progress. */
export const untilStage = (
  engine: TestEngine,
  id: string,
  ...stages: readonly ExportState['stage'][]
): Promise<ExportState> =>
  eventually(
    () => stateOf(engine, id),
    ({ stage }) => stages.includes(stage),
    undefined,
    ({ stage, done }) => `${stage} ${done}`,
  )

export const startExport = async (
  engine: TestEngine,
  folder: string,
  request: Partial<ExportRequest> = {},
  mayReplace = false,
): Promise<ExportState> => {
  const { format = 'mbox' } = request
  const path = join(folder, `mail.${format}`)
  const whole: ExportRequest = { mail: EVERYTHING, format, isFetching: true, ...request }
  return expectOk(await engine.link.startExport('test', whole, { path, mayReplace }))
}

export const exportAll = async (
  engine: TestEngine,
  folder: string,
  request: Partial<ExportRequest> = {},
): Promise<ExportState> => {
  const { id } = await startExport(engine, folder, request)
  return untilStage(engine, id, 'done', 'stopped')
}
