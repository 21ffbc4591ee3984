import { parseSnippets, SNIPPET_LIMITS, type CannedReply, type Signature } from '../../../shared/snippets.ts'
import type { Problem } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import { startDownload } from '../../kernel/start-download.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'
import { formatList } from '../../ui/format-list.ts'
import { formatCount } from '../../ui/format-quantity.ts'
import type { ThreadActionsManager } from '../threads/thread-actions-manager.svelte.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly snippets: SnippetsManager
  }
}

/** Snippet in the dialog; the ID of a new canned reply is null. */
export type EditedSnippet =
  | { readonly kind: 'signature'; readonly inboxId: string; readonly address: string; readonly html: string }
  | { readonly kind: 'reply'; readonly id: string | null; readonly name: string; readonly html: string }

/** The account's signatures and canned replies, stored by its engine. */
export class SnippetsManager {
  readonly #backend: Backend
  readonly #toasts: ToastManager
  readonly #actions: Pick<ThreadActionsManager, 'noteDone'>
  #signatures = $state.raw<readonly Signature[]>([])
  #cannedReplies = $state.raw<readonly CannedReply[]>([])
  #asked = $state.raw<EditedSnippet | null>(null)
  #problem = $state.raw<Problem | null>(null)
  #isBusy = $state(false)
  #isLoaded = false
  /** Number of the latest load, to ignore stale responses. */
  #loadCount = 0

  constructor(backend: Backend, toasts: ToastManager, actions: Pick<ThreadActionsManager, 'noteDone'>) {
    this.#backend = backend
    this.#toasts = toasts
    this.#actions = actions
    backend.on('snippets.changed', () => void this.load())
  }

  /** Sorted by name. */
  get cannedReplies(): readonly CannedReply[] {
    return this.#cannedReplies
  }

  /** Signature of an inbox, with its placeholders not filled in yet; '' for none. */
  signatureOf(inboxId: string): string {
    return this.#signatures.find((signature) => signature.inboxId === inboxId)?.html ?? ''
  }

  get asked(): EditedSnippet | null {
    return this.#asked
  }

  get problem(): Problem | null {
    return this.#problem
  }

  get isBusy(): boolean {
    return this.#isBusy
  }

  async load(): Promise<void> {
    this.#loadCount += 1
    const look = this.#loadCount
    const result = await this.#backend.call('snippet.list', {})
    if (!result.ok || look !== this.#loadCount) return
    this.#isLoaded = true
    this.#signatures = result.data.signatures
    this.#cannedReplies = result.data.cannedReplies
  }

  async loaded(): Promise<void> {
    if (!this.#isLoaded) await this.load()
  }

  ask(snippet: EditedSnippet): void {
    this.#asked = snippet
    this.#problem = null
  }

  close(): void {
    this.#asked = null
  }

  /** Saves the dialog's content. @param name only for canned replies */
  async save(name: string, html: string): Promise<void> {
    const asked = this.#asked
    if (asked === null || this.#isBusy) return
    this.#isBusy = true
    const result =
      asked.kind === 'signature'
        ? await this.#backend.call('signature.set', { inboxId: asked.inboxId, html })
        : await this.#backend.call('cannedReply.save', { id: asked.id, name, html })
    this.#isBusy = false
    if (result.ok) await this.load()
    if (this.#asked !== asked) return
    if (result.ok) this.#asked = null
    else this.#problem = result.error
  }

  async removeCannedReply({ id, name, html }: CannedReply): Promise<void> {
    const result = await this.#backend.call('cannedReply.remove', { id })
    if (!result.ok) return void this.#toasts.problem(result.error)
    await this.load()
    this.#noteDeleted(`Canned reply “${name}” deleted`, () =>
      this.#backend.call('cannedReply.save', { id, name, html }),
    )
  }

  async removeSignature(inboxId: string, address: string): Promise<void> {
    const html = this.signatureOf(inboxId)
    const result = await this.#backend.call('signature.set', { inboxId, html: '' })
    if (!result.ok) return void this.#toasts.problem(result.error)
    await this.load()
    this.#noteDeleted(`Signature for ${address} deleted`, () => this.#backend.call('signature.set', { inboxId, html }))
  }

  async export(): Promise<void> {
    const result = await this.#backend.call('snippet.export', {})
    if (!result.ok) this.#toasts.problem(result.error)
    else if (result.data.kind === 'download') startDownload(result.data.url)
    else if (result.data.kind === 'saved')
      this.#toasts.show(`Signatures and canned replies saved to ${result.data.path}.`)
  }

  /** Imports an exported file. @param clean cleans the HTML, which may come from anyone */
  async import(file: File, clean: (html: string) => string): Promise<void> {
    const text = file.size > SNIPPET_LIMITS.file ? '' : await file.text().catch(() => '')
    const read = parseSnippets(text)
    if (read === null) {
      const message = `“${file.name}” is not a Linnet export of signatures and canned replies. Nothing was changed.`
      return void this.#toasts.problem({ code: 'invalid_input', message })
    }
    const cleaned = {
      signatures: read.signatures.map((each) => ({ ...each, html: clean(each.html) })),
      cannedReplies: read.cannedReplies.map((each) => ({ ...each, html: clean(each.html) })),
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

  #noteDeleted(words: string, restore: () => ReturnType<Backend['call']>): void {
    this.#actions.noteDone(words, async () => {
      const back = await restore()
      await this.load()
      return back
    })
  }
}
