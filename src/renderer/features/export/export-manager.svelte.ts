import type { ExportScope, ExportSettings, ExportState } from '../../../shared/export.ts'
import type { Problem } from '../../../shared/result.ts'
import type { ThreadQuery } from '../../../shared/thread-query.ts'
import type { Backend } from '../../kernel/backend.ts'
import { reportSavedFile, startDownload } from '../../kernel/report-saved-file.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'
import { formatCount } from '../../ui/format-quantity.ts'
import { coalesceCalls } from '../../ui/coalesce-calls.ts'
import { suggestExportFilename } from './describe-export.ts'

export const FORMAT_LABELS: Readonly<Record<ExportSettings['format'], string>> = {
  mbox: 'Mailbox file',
  zip: 'Zip of messages',
}

/** The Export dialog, and the account's exports, including those of other windows. */
export class ExportManager {
  format = $state<ExportSettings['format']>('mbox')
  isFetching = $state(true)
  /** True to export the displayed list, false to export everything. */
  isList = $state(false)
  readonly #backend: Backend
  readonly #toasts: Readonly<ToastManager>
  isOpen = $state(false)
  isBusy = $state(false)
  /** The list displayed when the dialog opened, or null. */
  list = $state.raw<ThreadQuery | null>(null)
  /** Oldest first. */
  all = $state.raw<readonly ExportState[]>([])
  problem = $state.raw<Problem | null>(null)
  /** Exports started by this window, which also downloads their files. */
  #own: readonly string[] = []

  constructor(backend: Backend, toasts: Readonly<ToastManager>) {
    this.#backend = backend
    this.#toasts = toasts
    backend.on(
      'exports.changed',
      coalesceCalls(() => void this.load()),
    )
  }

  /** The running export, else the first stopped one, or null. */
  get current(): ExportState | null {
    const open = this.all.filter(({ stage }) => stage !== 'done')
    return open.find(({ stage }) => stage === 'gathering' || stage === 'writing') ?? open[0] ?? null
  }

  open(list: ThreadQuery | null): void {
    this.list = list
    this.isList = list !== null
    this.problem = null
    this.isOpen = true
    void this.load()
  }

  choose(change: Partial<Pick<ExportManager, 'format' | 'isFetching' | 'isList'>>): void {
    Object.assign(this, change)
  }

  close(): void {
    this.isOpen = false
  }

  async load(): Promise<void> {
    const result = await this.#backend.call('export.list', {})
    if (!result.ok) {
      if (this.isOpen) this.problem ??= result.error
      return
    }
    const before = this.all
    this.all = result.data
    for (const state of result.data) {
      const isNews = before.find(({ id }) => id === state.id)?.stage !== state.stage
      if (isNews && state.stage === 'done' && this.#own.includes(state.id)) void this.#download(state)
      if (isNews && state.stage === 'stopped' && state.problem !== null) this.#toasts.problem(state.problem)
    }
  }

  async start(): Promise<void> {
    if (this.isBusy) return
    const list = this.isList ? this.list : null
    const mail: ExportScope = list === null ? { kind: 'everything' } : { kind: 'threads', query: list }
    this.isBusy = true
    this.problem = null
    const result = await this.#backend.call('export.start', {
      ...{ mail, format: this.format, isFetching: this.isFetching, name: suggestExportFilename(Date.now()) },
    })
    this.isBusy = false
    if (!result.ok) this.problem = result.error
    else if (result.data !== null) this.#own = [...this.#own, result.data.id]
    await this.load()
  }

  /** Cancels an export, or dismisses a finished one. */
  async cancel(id: string): Promise<void> {
    const result = await this.#backend.call('export.cancel', { id })
    if (!result.ok) this.#toasts.problem(result.error)
    await this.load()
  }

  /** Downloads the file again, as the browser may have been closed during the download. */
  async save(id: string): Promise<void> {
    const result = await this.#backend.call('export.save', { id })
    if (!result.ok) this.#toasts.problem(result.error)
    else if (result.data.kind === 'download') startDownload(result.data.url)
  }

  async saveContacts(): Promise<void> {
    const result = await this.#backend.call('contact.export', {})
    reportSavedFile(this.#toasts, result, 'Contacts saved to')
  }

  async #download({ id, done }: ExportState): Promise<void> {
    this.#toasts.show(`${formatCount(done, 'message')} exported.`)
    await this.save(id)
  }
}
