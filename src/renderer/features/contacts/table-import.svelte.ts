import { isUniqueTarget, CONTACT_TABLE_LIMITS, type ColumnTarget } from '../../../shared/contact-import.ts'
import type { ContactTable, ImportPlan } from '../../../shared/contact-import.ts'
import { FILE_CHUNK_BYTES } from '../../../shared/model.ts'
import type { Problem } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'
import { reportSavedFile } from '../../kernel/report-saved-file.ts'
import { encodeBase64 } from '../../ui/base64.ts'
import { formatCount } from '../../ui/format-quantity.ts'
import { type ThreadActionsManager, undoableCall } from '../threads/thread-actions-manager.svelte.ts'

/** Imports a table of contacts: reads the file, maps its columns, and imports the rows. */
export class TableImport {
  readonly #backend: Backend
  readonly #toasts: Readonly<ToastManager>
  readonly #actions: Pick<ThreadActionsManager, 'make'>
  filename = $state.raw<string | null>(null)
  table = $state.raw<ContactTable | null>(null)
  targets = $state.raw<readonly ColumnTarget[]>([])
  mayResubscribe = $state(false)
  segmentId = $state.raw<string | null>(null)
  /** The import's effect, or null if unknown. */
  plan = $state.raw<ImportPlan | null>(null)
  problem = $state.raw<Problem | null>(null)
  isBusy = $state(false)
  /** Detects late responses. */
  #requestNumber = 0

  constructor(backend: Backend, toasts: Readonly<ToastManager>, actions: Pick<ThreadActionsManager, 'make'>) {
    this.#backend = backend
    this.#toasts = toasts
    this.#actions = actions
  }

  /** Segment for all imported contacts, or null. */
  setSegmentId(segmentId: string | null): void {
    this.segmentId = segmentId
  }

  /** Reads a file in pieces and plans its import. @param known resolves once the account's properties are loaded */
  async open(file: File, known: Promise<unknown>): Promise<void> {
    this.close()
    const requestNumber = (this.#requestNumber += 1)
    this.filename = file.name
    if (file.size > CONTACT_TABLE_LIMITS.bytes) {
      this.problem = { code: 'invalid_input', message: 'This file is over 32 MB. Split it and import each part.' }
      return
    }
    this.isBusy = true
    await known
    if (requestNumber !== this.#requestNumber) return
    const tableId = crypto.randomUUID()
    const pieces = Math.max(1, Math.ceil(file.size / FILE_CHUNK_BYTES))
    for (let place = 0; place < pieces; place += 1) {
      const bytes = await file
        .slice(place * FILE_CHUNK_BYTES, (place + 1) * FILE_CHUNK_BYTES)
        .arrayBuffer()
        .catch(() => null)
      if (requestNumber !== this.#requestNumber) return
      if (bytes === null) {
        this.isBusy = false
        this.problem = {
          code: 'not_found',
          message: `“${file.name}” could not be read. Check that the file still exists, then try again.`,
        }
        return
      }
      const base64 = encodeBase64(new Uint8Array(bytes))
      const read = await this.#backend.call('contactTable.read', {
        ...{ tableId, place, base64, isLast: place === pieces - 1 },
      })
      if (requestNumber !== this.#requestNumber) return
      if (!read.ok) {
        this.isBusy = false
        this.problem = read.error
        return
      }
      this.table = read.data
    }
    this.isBusy = false
    this.targets = this.table?.columns.map(({ target }) => target) ?? []
    await this.#makePlan()
  }

  /** Maps a column. Its target is taken from any other column that had it. */
  async setTarget(column: number, target: ColumnTarget): Promise<void> {
    this.targets = this.targets.map((each, at) =>
      at === column ? target : each === target && isUniqueTarget(target) ? 'nothing' : each,
    )
    await this.#makePlan()
  }

  async setHasHeading(hasHeading: boolean): Promise<void> {
    if (this.table === null || this.table.hasHeading === hasHeading) return
    const { columns, otherColumns } = this.table
    this.table = { ...this.table, hasHeading, columns: otherColumns, otherColumns: columns }
    this.targets = otherColumns.map(({ target }) => target)
    await this.#makePlan()
  }

  async setMayResubscribe(may: boolean): Promise<void> {
    this.mayResubscribe = may
    await this.#makePlan()
  }

  async import(): Promise<void> {
    const reading = this.#importOptions()
    if (reading === null || this.isBusy) return
    this.isBusy = true
    const plan = this.plan
    const segmentId = this.segmentId
    const count = (plan?.added ?? 0) + (plan?.changed ?? 0)
    const refused: Problem[] = []
    const call = undoableCall('contact', async () => {
      const result = await this.#backend.call('contactTable.import', { ...reading, segmentId })
      if (!result.ok) refused.push(result.error)
      return result
    })
    await this.#actions.make(call, `Importing ${formatCount(count, 'contact')}`)
    this.isBusy = false
    this.problem = refused[0] ?? null
    if (refused.length === 0) this.close()
  }

  /** Saves the omitted lines, with reasons, as a table. */
  async saveBadLines(): Promise<void> {
    const reading = this.#importOptions()
    if (reading === null) return
    const result = await this.#backend.call('contactTable.saveBadLines', reading)
    if (result.ok) reportSavedFile(this.#toasts, result, 'Saved to')
    else this.problem = result.error
  }

  close(): void {
    this.#requestNumber += 1
    this.filename = null
    this.table = null
    this.targets = []
    this.plan = null
    this.problem = null
    this.mayResubscribe = false
    this.segmentId = null
    this.isBusy = false
  }

  #importOptions() {
    if (this.table === null) return null
    const { tableId, hasHeading } = this.table
    return { tableId, hasHeading, targets: [...this.targets], mayResubscribe: this.mayResubscribe }
  }

  async #makePlan(): Promise<void> {
    const requestNumber = (this.#requestNumber += 1)
    const reading = this.#importOptions()
    if (reading === null) return
    const result = await this.#backend.call('contactTable.plan', reading)
    if (requestNumber !== this.#requestNumber) return
    this.plan = result.ok ? result.data : null
    this.problem = result.ok ? null : result.error
  }
}
