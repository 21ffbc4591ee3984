/** One draft and everything around it: its files, and a platform that loses, rejects and forgets answers. */
import { randomUUID } from 'node:crypto'
import type { FetchedDraft } from '../../../../../../src/engine/platform/resources/drafts.ts'
import type { MailPlatform } from '../../../../../../src/engine/platform/mail-platform.ts'
import {
  PlatformRefusalError,
  toRefusal,
  UnreachableError,
} from '../../../../../../src/engine/platform/platform-problem.ts'
import type { IdempotentCallOptions } from '../../../../../../src/engine/platform/requests.ts'
import { DraftSender } from '../../../../../../src/engine/mail/writing/draft-sender.ts'
import { DraftStore } from '../../../../../../src/engine/own/drafts/draft-store.ts'
import { applyToDraft } from '../../../../../../src/engine/mail/writing/draft-table.ts'
import type { LocalDraft } from '../../../../../../src/engine/own/drafts/local-draft.ts'
import type { DraftContent, RemoteReplies } from '../../../../../../src/shared/drafts.ts'
import type { OwnFile } from '../../../../../../src/engine/own/own-file.ts'
import { openOwnFile } from '../../../../../support/own-file.ts'
import { createSteppedClock } from '../../../../../support/stepped-clock.ts'
import { createProblem } from '../../../../../../src/shared/result.ts'

export class KilledError extends Error {}

interface SentEmail {
  readonly id: string
  readonly text: string | null
  state: 'sent' | 'scheduled' | 'canceled'
  scheduledAt: number | null
}

/** `lost`: the request arrives, its answer doesn't. `cut`: it doesn't arrive. */
export type Fault = 'lost' | 'cut' | 'error' | 'refused' | 'busy'

interface Options {
  readonly signal: AbortSignal
}

interface Message {
  readonly subject: string
  readonly html: string | null
  readonly text: string
  readonly to: readonly { readonly address: string }[]
}

const DAY_MS = 24 * 60 * 60_000

const toText = ({ text }: { readonly text: string | null }): string | null => text

export class SendingWorld {
  readonly clock = createSteppedClock(Date.UTC(2026, 0, 15))
  readonly emails = new Map<string, SentEmail>()
  /** Unexpected errors that the code reported. */
  readonly reported: unknown[] = []
  isOnline = true
  replies: RemoteReplies = { answers: [], drafts: [] }
  readonly #directory: string
  readonly #own: OwnFile
  readonly #drafts = new Map<string, FetchedDraft>()
  readonly #keys = new Map<string, { readonly at: number; readonly id: string }>()
  #faults: Fault[] = []
  /** Writes until the process is killed. */
  #writesLeft = Infinity
  #isDead = false
  #life = new AbortController()
  files: DraftStore
  sender: DraftSender

  constructor(directory: string) {
    this.#directory = directory
    this.#own = openOwnFile(directory)
    ;({ files: this.files, sender: this.sender } = this.#open())
    this.sender.sync.start()
  }

  /** The draft, if there still is one. */
  get draft(): LocalDraft | undefined {
    return this.files.get('draft-1')
  }

  create(text: string): void {
    this.files.put(newDraft(contentOf(text), this.clock.now()))
  }

  /** @throws ProblemError `not_found` once the message was sent */
  write(text: string): void {
    const at = this.clock.now()
    const draft = this.files.find('draft-1')
    const event = { kind: 'edit', revision: draft.revision, content: contentOf(text), inboxId: undefined, at } as const
    this.files.put(applyToDraft(draft, event).draft)
    this.sender.sync.changed(draft.id)
  }

  fault(...faults: readonly Fault[]): void {
    this.#faults.push(...faults)
  }

  clearFaults(): void {
    this.#faults = []
  }

  killAfter(writes: number): void {
    this.#writesLeft = writes
  }

  get isDead(): boolean {
    return this.#isDead
  }

  /** A new process with the files of the killed one. */
  async restart(): Promise<void> {
    this.#isDead = true
    this.#life.abort(new KilledError())
    await this.sender.sync.ended()
    this.#life = new AbortController()
    this.#isDead = false
    this.#writesLeft = Infinity
    ;({ files: this.files, sender: this.sender } = this.#open())
    this.sender.sync.start()
  }

  /** Lets time pass. */
  async pass(milliseconds: number): Promise<void> {
    for (let left = milliseconds; left >= 0; left -= 5_000) {
      if (this.isOnline && !this.#isDead) this.sender.sync.nudge()
      for (const email of this.emails.values()) {
        const isDue = email.state === 'scheduled' && (email.scheduledAt ?? 0) <= this.clock.now()
        if (isDue) email.state = 'sent'
      }
      await this.clock.advance(Math.min(5_000, Math.max(left, 1)))
    }
  }

  #open() {
    const { signal } = this.#life
    const report = (thrown: unknown): void => {
      if (!(thrown instanceof KilledError) && !signal.aborted) this.reported.push(thrown)
    }
    const files = new DraftStore(this.#own, this.#directory, () => undefined, report)
    const [put, remove] = [files.put.bind(files), files.remove.bind(files)]
    const live = (): void => {
      this.#listen(signal)
      this.#writesLeft -= 1
      if (this.#writesLeft >= 0) return
      this.#isDead = true
      throw new KilledError()
    }
    files.put = (draft) => {
      live()
      put(draft)
    }
    files.remove = (id) => {
      live()
      remove(id)
    }
    const unused = new Proxy({}, { get: () => () => undefined })
    const platform = this.#platform(signal)
    const parts = {
      ...{ files, platform, clock: this.clock, signal, report },
      cache: {
        inboxes: {
          get: () => ({ key: 1, onServer: true, fromName: null, inbox: { emailAddress: 'me@quay.example' } }),
        },
        emails: unused,
        threads: unused,
      },
      outbox: { changeThreads: () => 'change-1', undo: () => undefined },
      theirs: {
        delete: ({ id }: { id: string }) =>
          platform.deleteDraft('', id, NO_OPTIONS).catch((thrown: unknown) => {
            if (!(thrown instanceof PlatformRefusalError && [404, 409].includes(thrown.status))) throw thrown
          }),
        ...{ drop: () => undefined, onRead: () => undefined },
      },
      transfers: {
        run: (_draft: unknown, options: unknown, work: (given: unknown) => unknown) => work(options),
        stop: () => false,
      },
      remoteReplies: {
        sent: () => undefined,
        look: () => Promise.resolve(this.isOnline ? this.replies : { answers: [], drafts: [] }),
      },
      usage: { get: () => Promise.resolve(null) },
      isOnline: () => this.isOnline,
      hub: { sent: () => undefined },
      deliveries: { follow: () => undefined },
      threads: { refetch: () => Promise.resolve(), news: () => Promise.resolve() },
      lists: { news: () => Promise.resolve() },
    } as unknown as ConstructorParameters<typeof DraftSender>[0]
    return { files, sender: new DraftSender(parts) }
  }

  /** @throws KilledError if the process of that life is dead */
  #listen(life: AbortSignal): void {
    if (life.aborted || this.#isDead) throw new KilledError()
  }

  /** Runs one request: it arrives, is answered, or fails. A dead process hears nothing. */
  async #request<Answer>(life: AbortSignal, asked: AbortSignal, work: () => Answer): Promise<Answer> {
    await Promise.resolve()
    this.#listen(life)
    asked.throwIfAborted()
    const fault = this.isOnline ? this.#faults.shift() : 'cut'
    if (fault === 'cut') throw new UnreachableError({ code: 'unreachable', message: 'cut' }, false, null)
    if (fault === 'busy') throw toRefusal(429, { name: 'rate_limit_exceeded', message: 'busy' })
    if (fault === 'error') throw toRefusal(500, { name: 'internal', message: 'error' })
    // A platform that has a message doesn't reject a repeated request for it, only what follows.
    const hasMessage = [...this.emails.values()].some(({ state }) => state !== 'canceled')
    if (fault === 'refused' && (!hasMessage || this.draft?.state.kind === 'sent')) {
      throw toRefusal(422, { name: 'validation_error', message: 'The `to` field is not welcome.' })
    }
    const answer = work()
    await Promise.resolve()
    this.#listen(life)
    if (fault === 'lost') throw new UnreachableError({ code: 'unreachable', message: 'lost' }, true, null)
    return answer
  }

  #platform(life: AbortSignal): MailPlatform {
    const ask = <Answer>(options: Options, work: () => Answer): Promise<Answer> =>
      this.#request(life, options.signal, work)
    /** Repeats the earlier answer to a request with the same key. */
    const once = ({ idempotencyKey }: IdempotentCallOptions, work: () => string): string => {
      const known = this.#keys.get(idempotencyKey)
      if (known !== undefined && this.clock.now() - known.at < DAY_MS) return known.id
      const id = work()
      this.#keys.set(idempotencyKey, { at: this.clock.now(), id })
      return id
    }
    const draftOf = (id: string): FetchedDraft => {
      const draft = this.#drafts.get(id)
      if (draft === undefined) throw toRefusal(404, { name: 'not_found', message: 'Draft not found' })
      return draft
    }
    const openDraftOf = (id: string): FetchedDraft => {
      const draft = draftOf(id)
      if (draft.emailId !== null) throw toRefusal(409, { name: 'conflict', message: 'The draft was sent.' })
      return draft
    }
    const emailOf = (id: string): SentEmail => {
      const email = this.emails.get(id)
      if (email === undefined) throw toRefusal(404, { name: 'not_found', message: 'Email not found' })
      return email
    }
    const add = (text: string | null, scheduledAt: number | null): string => {
      const id = randomUUID()
      this.emails.set(id, { id, text, state: scheduledAt === null ? 'sent' : 'scheduled', scheduledAt })
      return id
    }
    const toFetched = (id: string, message: Message): FetchedDraft => ({
      ...{ id, subject: message.subject, html: message.html, text: message.text, cc: [], bcc: [], files: [] },
      ...{ to: message.to.map(({ address }) => address), threadId: null, replyToEmailId: null, emailId: null },
      updatedAt: this.clock.now(),
    })
    return {
      createDraft: (_inbox: string, message: Message, _answers: null, _files: [], options: IdempotentCallOptions) =>
        ask(options, () =>
          once(options, () => {
            const id = randomUUID()
            this.#drafts.set(id, toFetched(id, message))
            return id
          }),
        ),
      getDraft: (_inbox: string, id: string, options: Options) => ask(options, () => draftOf(id)),
      updateDraft: (_inbox: string, id: string, _before: Message, message: Message, _files: [], options: Options) =>
        ask(options, () => {
          openDraftOf(id)
          this.#drafts.set(id, toFetched(id, message))
        }),
      deleteDraft: (_inbox: string, id: string, options: Options) =>
        ask(options, () => {
          openDraftOf(id)
          this.#drafts.delete(id)
        }),
      sendDraft: (_inbox: string, id: string, options: IdempotentCallOptions) =>
        ask(options, () =>
          once(options, () => {
            const draft = openDraftOf(id)
            const emailId = add(toText(draft), null)
            this.#drafts.set(id, { ...draft, emailId })
            return emailId
          }),
        ),
      sendEmail: (message: Message & { scheduledAt: number | null }, _files: [], options: IdempotentCallOptions) =>
        ask(options, () => once(options, () => add(message.text, message.scheduledAt))),
      getSentEmail: (id: string, options: Options) =>
        ask(options, () => {
          const { state, scheduledAt, text } = emailOf(id)
          return { id, lastEvent: state, scheduledAt, text }
        }),
      cancelEmail: (id: string, options: Options) =>
        ask(options, () => {
          const email = emailOf(id)
          if (email.state !== 'scheduled') throw toRefusal(422, { name: 'validation_error', message: 'Not scheduled' })
          email.state = 'canceled'
        }),
      rescheduleEmail: (id: string, at: number, options: Options) =>
        ask(options, () => {
          const email = emailOf(id)
          if (email.state !== 'scheduled') throw toRefusal(422, { name: 'validation_error', message: 'Not scheduled' })
          email.scheduledAt = at
        }),
      listSentEmails: (options: Options) =>
        ask(options, () => {
          throw createProblem('internal', 'Nothing takes a day here.')
        }),
    } as unknown as MailPlatform
  }
}

const NO_OPTIONS = { priority: 'screen', signal: new AbortController().signal } as const

const contentOf = (text: string): DraftContent => ({
  ...{ to: [{ name: null, address: 'ada@quay.example' }], cc: [], bcc: [], subject: 'Berths', format: 'plain' },
  ...{ html: '', text, quote: null, files: [] },
})

const newDraft = (content: DraftContent, at: number): LocalDraft => ({
  ...{ id: 'draft-1', inboxId: 'inbox-1', kind: 'new', target: null, content, revision: 0, state: { kind: 'open' } },
  ...{ isOurs: true, platform: null, theirs: null, request: null, standsAlone: false, notKept: null, sending: null },
  ...{ discardedAt: null, createdAt: at, updatedAt: at },
})
