import { parseSnippets, SNIPPET_LIMITS, type CannedReply, type Signature } from '../../../shared/snippets.ts'
import type { TemplateSummary } from '../../../shared/templates.ts'
import type { Problem, Result } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import { reportSavedFile } from '../../kernel/report-saved-file.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'
import { chooseFile } from '../../ui/choose-file.ts'
import { formatList } from '../../ui/format-list.ts'
import { formatCount } from '../../ui/format-quantity.ts'
import type { SenderInbox } from '../mailboxes/mailboxes-manager.svelte.ts'
import type { ThreadActionsManager } from '../threads/thread-actions-manager.svelte.ts'
import { sanitizeSnippet } from './fill-snippet.ts'

/** A signature or canned reply, as listed and edited. */
export interface EditedSnippet {
  readonly kind: 'signature' | 'reply'
  /** ID of the signature's inbox or of the canned reply; null for a new reply. */
  readonly id: string | null
  /** The inbox's address, or the canned reply's name. */
  readonly name: string
  readonly html: string
}

export const NEW_REPLY: EditedSnippet = { kind: 'reply', id: null, name: '', html: '' }

export type ListedReply = CannedReply & { readonly kind: 'reply' }
export type Insertable = ListedReply | (TemplateSummary & { readonly kind: 'template' })

/** The account's signatures and canned replies, stored by its engine, and the platform's published templates. */
export class SnippetsManager {
  readonly #backend: Backend
  readonly #toasts: Readonly<ToastManager>
  readonly #actions: Pick<ThreadActionsManager, 'noteDone'>
  #signatures = $state.raw<readonly Signature[]>([])
  /** Sorted by name. */
  cannedReplies = $state.raw<readonly ListedReply[]>([])
  /** Snippet in the dialog. */
  asked = $state.raw<EditedSnippet | null>(null)
  #templates = $state.raw<readonly TemplateSummary[]>([])
  #isLoaded = false
  /** Numbers of the latest loads, to ignore stale responses. */
  #loadCount = 0
  #templateLoadCount = 0

  constructor(backend: Backend, toasts: Readonly<ToastManager>, actions: Pick<ThreadActionsManager, 'noteDone'>) {
    this.#backend = backend
    this.#toasts = toasts
    this.#actions = actions
    backend.on('snippets.changed', () => void this.load())
    backend.on('templates.changed', () => void this.loadTemplates())
  }

  /** Signature of an inbox, with its placeholders not filled in yet; '' for none. */
  signatureOf(inboxId: string): string {
    return this.#signatures.find((signature) => signature.inboxId === inboxId)?.html ?? ''
  }

  signatureFor({ id, address }: SenderInbox): EditedSnippet {
    return { kind: 'signature', id, name: address, html: this.signatureOf(id) }
  }

  /** Canned replies and templates, each sorted by name. */
  get insertables(): readonly Insertable[] {
    return [...this.cannedReplies, ...this.#templates.map((each): Insertable => ({ kind: 'template', ...each }))]
  }

  /** Opens the dialog, or closes it with null. */
  ask(snippet: EditedSnippet | null): void {
    this.asked = snippet
  }

  async load(): Promise<void> {
    const look = (this.#loadCount += 1)
    const result = await this.#backend.call('snippet.list', {})
    if (!result.ok || look !== this.#loadCount) return
    this.#isLoaded = true
    this.#signatures = result.data.signatures
    this.cannedReplies = result.data.cannedReplies.map((reply) => ({ kind: 'reply', ...reply }))
  }

  async loadTemplates(): Promise<void> {
    const look = (this.#templateLoadCount += 1)
    const result = await this.#backend.call('template.list', {})
    if (result.ok && look === this.#templateLoadCount) this.#templates = result.data
  }

  /** Call before the user chooses a template. Refreshes the list from the platform unless that happened recently. */
  refreshTemplates(): void {
    void this.#backend.call('template.refresh', {})
  }

  async loaded(): Promise<void> {
    if (!this.#isLoaded) await this.load()
  }

  /** @returns why the snippet was not saved, or null */
  async save(snippet: EditedSnippet): Promise<Problem | null> {
    const result = await this.#store(snippet)
    if (!result.ok) return result.error
    await this.load()
    return null
  }

  /** @param snippet a stored one */
  async remove(snippet: EditedSnippet): Promise<void> {
    const { kind, id, name } = snippet
    const isReply = kind === 'reply'
    const result = isReply
      ? await this.#backend.call('cannedReply.remove', { id: id ?? '' })
      : await this.#store({ ...snippet, html: '' })
    if (!result.ok) return void this.#toasts.problem(result.error)
    await this.load()
    this.#actions.noteDone(`${isReply ? `Canned reply “${name}”` : `Signature for ${name}`} deleted`, async () => {
      const back = await this.#store(snippet)
      await this.load()
      return back
    })
  }

  async export(): Promise<void> {
    const result = await this.#backend.call('snippet.export', {})
    reportSavedFile(this.#toasts, result, 'Signatures and canned replies saved to')
  }

  /** Imports an exported file of the user's choice. Its HTML may come from anyone. */
  async import(): Promise<void> {
    const file = await chooseFile('.json,application/json')
    if (file === null) return
    const text = file.size > SNIPPET_LIMITS.file ? '' : await file.text().catch(() => '')
    const read = parseSnippets(text)
    if (read === null) {
      const message = `“${file.name}” is not a Linnet export of signatures and canned replies. Nothing was changed.`
      return void this.#toasts.problem({ code: 'invalid_input', message })
    }
    const cleaned = {
      signatures: read.signatures.map((each) => ({ ...each, html: sanitizeSnippet(each.html) })),
      cannedReplies: read.cannedReplies.map((each) => ({ ...each, html: sanitizeSnippet(each.html) })),
    }
    const result = await this.#backend.call('snippet.import', cleaned)
    if (!result.ok) return void this.#toasts.problem(result.error)
    await this.load()
    const { cannedReplies, signatures, same, leftOut } = result.data
    const added = [
      ...(cannedReplies > 0 ? [formatCount(cannedReplies, 'canned reply', 'canned replies')] : []),
      ...(signatures > 0 ? [formatCount(signatures, 'signature')] : []),
    ]
    const words = [
      added.length === 0 ? 'Nothing new to import.' : `${formatList(added)} imported.`,
      ...(same > 0 ? [`${formatCount(same, 'was', 'were')} already here.`] : []),
      ...(leftOut.length > 0
        ? [`Skipped signatures for ${formatList(leftOut)}: no such inbox, or it already has a signature.`]
        : []),
    ]
    this.#toasts.show(words.join(' '))
  }

  #store({ kind, id, name, html }: EditedSnippet): Promise<Result<unknown>> {
    return kind === 'reply'
      ? this.#backend.call('cannedReply.save', { id, name, html })
      : this.#backend.call('signature.set', { inboxId: id ?? '', html })
  }
}
