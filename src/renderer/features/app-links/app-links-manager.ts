import { tick } from 'svelte'
import { formatAppLink, type AppLink, type WindowLink } from '../../../shared/app-link.ts'
import { FOLDERS, type Email } from '../../../shared/model.ts'
import type { Backend } from '../../kernel/backend.ts'
import { copyText } from '../../kernel/copy-text.ts'
import type { Shell } from '../../kernel/session.ts'

interface Parts {
  readonly toasts: Shell['toasts']
  readonly route: Shell['route']
  readonly accounts: Shell['account']
  /** The inbox for searches that name none. */
  readonly inboxShown: () => string | null
  readonly compose: (mailto: string) => void
  readonly reply: (about: { readonly inboxId: string; readonly threadId: string; readonly email: Email }) => void
}

/** Follows links opened through the system, and creates links to Linnet. */
export class AppLinksManager {
  readonly #backend: Backend
  readonly #parts: Parts
  readonly #abortSignal: AbortSignal
  #isReady = false
  #taken = Promise.resolve()

  constructor(backend: Backend, parts: Parts, ending: AbortSignal) {
    this.#backend = backend
    this.#parts = parts
    this.#abortSignal = ending
    backend.on('link.waiting', () => this.#takeInOrder())
  }

  /** Call once the account's inboxes are known: links can be followed from now on. */
  start(): void {
    if (this.#isReady) return
    this.#isReady = true
    this.#takeInOrder()
  }

  copy(link: Parameters<typeof formatAppLink>[0]): Promise<void> {
    const done = 'Link copied. Anyone with access to this inbox can open the link in Linnet.'
    return copyText(this.#parts.toasts, formatAppLink(link), done, 'The link could not be copied.')
  }

  /** Follows one link at a time, as a reply needs the thread that the link before it opens. */
  #takeInOrder(): void {
    const take = (): Promise<void> => this.#takeAll()
    this.#taken = this.#taken.then(take, take)
  }

  async #takeAll(): Promise<void> {
    while (this.#isReady && !this.#abortSignal.aborted) {
      const taken = await this.#backend.call('link.take', {})
      if (!taken.ok || taken.data === null) return
      await this.#follow(taken.data)
      // If the link belongs to another account, that account's window takes the next one.
      await tick()
    }
  }

  async #follow(link: WindowLink): Promise<void> {
    switch (link.kind) {
      case 'compose':
        this.#parts.compose(link.mailto)
        break
      case 'contact':
        this.#parts.route.go({ view: 'contacts', id: link.address })
        break
      case 'search':
        await this.#followSearch(link)
        break
      case 'thread':
        await this.#followThread(link)
        break
      case 'reply':
        await this.#reply(link)
    }
  }

  async #followSearch({ inboxId, query }: Extract<AppLink, { kind: 'search' }>): Promise<void> {
    const through = inboxId ?? this.#parts.inboxShown()
    const at = inboxId === null ? undefined : await this.#accountOf(inboxId)
    if (through === null || at === null) this.#reportUnknownLink()
    else if (!this.#abortSignal.aborted)
      this.#parts.route.go({ view: 'search', inboxId: through, query, threadId: null }, at)
  }

  async #followThread({ inboxId, threadId }: Extract<AppLink, { kind: 'thread' }>): Promise<void> {
    const at = await this.#accountOf(inboxId)
    if (at === null) {
      this.#reportUnknownLink()
      return
    }
    // Open it in its folder's list, if known.
    const opened = await this.#backend.of(at).call('thread.open', { inboxId, threadId })
    const folder = FOLDERS.find((each) => opened.ok && each === opened.data.thread.folder) ?? 'inbox'
    if (!this.#abortSignal.aborted) this.#parts.route.go({ view: 'folder', inboxId, folder, threadId }, at)
  }

  /** Replies to the newest mail received in a thread, which a link before this one has opened. */
  async #reply({ inboxId, threadId }: Extract<WindowLink, { kind: 'reply' }>): Promise<void> {
    const opened = await this.#backend.call('thread.open', { inboxId, threadId })
    const emails = opened.ok ? opened.data.emails : []
    const email = emails.findLast(({ direction, onServer }) => direction === 'inbound' && onServer)
    if (email !== undefined) this.#parts.reply({ inboxId, threadId, email })
  }

  /** Ask the engines, as this window may not have loaded every account's inboxes yet. */
  async #accountOf(inboxId: string): Promise<string | null> {
    for (const { id } of this.#parts.accounts.opened) {
      const listed = await this.#backend.of(id).call('inbox.list', {})
      if (listed.ok && listed.data.inboxes.some((inbox) => inbox.id === inboxId)) return id
    }
    return null
  }

  #reportUnknownLink(): void {
    this.#parts.toasts.problem({
      code: 'not_found',
      message: 'This link’s inbox isn’t in any of your accounts. Add its account first.',
    })
  }
}
