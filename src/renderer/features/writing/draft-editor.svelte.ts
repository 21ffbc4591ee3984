import { untrack } from 'svelte'
import { haveSameRecipients, dedupeRecipients } from '../../../shared/recipients.ts'
import type {
  Draft,
  DraftContent,
  DraftFile,
  Recipient,
  SendRefusal,
  DraftKind,
  DraftTarget,
  OriginalHeaders,
} from '../../../shared/drafts.ts'
import type { Backend } from '../../kernel/backend.ts'
import { sanitizePaste } from './sanitize-paste.ts'
import {
  buildOutgoingBody,
  canShowQuoted,
  createInlineImageCheck,
  sanitizeDraftContent,
  createEmptyContent,
} from './draft-content.ts'
import { readDraftFile } from './draft-file-transfer.ts'
import { DraftUploads } from './draft-uploads.svelte.ts'
import { toOutgoingHtml, type HasInlineImage } from './outgoing-html.ts'
import { toOutgoingText, textToHtml } from './outgoing-text.ts'
import { parseExternalRecipients } from './external-content.ts'
import { findRecipientWarnings } from './recipient-warnings.ts'
import { convertSpacingToLines } from './paragraph-lines.ts'
import { replaceHtmlSignature, replaceTextSignature, stripSignature } from './signature.ts'
import { checkBeforeSending, type SendCheck } from './send-check.ts'

export const RECIPIENT_FIELDS = ['to', 'cc', 'bcc'] as const
export const RECIPIENT_LABELS = { to: 'To', cc: 'Cc', bcc: 'Bcc' } as const
export type RecipientField = (typeof RECIPIENT_FIELDS)[number]

/** The user's addresses and signatures. */
export interface Writer {
  readonly own: readonly string[]
  /** Signature of an inbox as clean HTML, or ''. */
  readonly signatureOf: (inboxId: string) => string
}

type EditedDraft = Pick<
  Draft,
  'content' | 'id' | 'inboxId' | 'kind' | 'original' | 'remindAt' | 'revision' | 'state' | 'target'
>

/** Target of a draft's move to another account. */
export interface MovedDraft {
  readonly draftId: string
  readonly inboxId: string
  readonly copies: ReadonlyMap<string, DraftFile>
}

export interface BodyEditor {
  readonly read: () => string
  readonly insert: (html: string) => void
  /** @param caret caret position; the last one if omitted */
  readonly focus: (caret?: number) => void
  readonly caret: () => number
}

export class DraftEditor {
  readonly kind: DraftKind
  readonly target: DraftTarget | null
  readonly original: OriginalHeaders | null
  readonly #writer: Writer
  readonly uploads: DraftUploads
  readonly #backend: Pick<Backend, 'call'>
  /** Object URLs of pictures, by content ID. */
  // Not rendered, so it doesn't have to be reactive.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  readonly #pictures = new Map<string, Promise<string | null>>()

  /**
   * Deliberately not reactive. A composer saves once more while it is being destroyed; reactive state would then return
   * its previous value, without the text just read from the editor.
   */
  #untrackedContent: DraftContent = createEmptyContent()
  #changes = $state(0)
  draftId = $state('')
  #inboxId = $state('')
  /** Incremented on every change by the user. */
  version = $state(0)
  #savedVersion = $state(0)
  /** Incremented when the text is replaced from outside, so the editor reloads it. */
  generation = $state(0)
  #acceptedWarnings: readonly string[] = $state.raw([])
  #editor: BodyEditor | null = null
  /** True to focus the text once its editor has loaded. */
  #isFocusWanted = false
  /** Caret position to restore when the text gets focus, also in another view; undefined for the default. */
  caretWanted: number | undefined
  /** Initial content, before any typing; null if unknown. */
  readonly #initial: DraftContent | null
  /** True if the signature was inserted but is not saved. */
  #isSignatureUnsaved = false
  /** True if the editor has newer text than the content. */
  #isBodyStale = false
  /** Rich text that the plain text was converted from, valid while the plain text is unchanged. */
  #richOriginal: { readonly html: string; readonly text: string } | null = null

  /** Last focus by `performance.now()`; 0 for never. */
  focusedAt = 0
  /** When the thread returns if no one replies; null for never. */
  remindAt: number | null = $state(null)
  /** Input in the recipient fields that is not a recipient yet. */
  readonly typed: Record<RecipientField, string> = $state({ to: '', cc: '', bcc: '' })
  /** Warnings about recipients that the platform won't deliver to. */
  suppressed: readonly string[] = $state.raw([])
  /** Why the message can't be sent, shown at its field. */
  refusal: SendRefusal | null = $state.raw(null)

  constructor(backend: Pick<Backend, 'call'>, draft: EditedDraft, writer: Writer) {
    this.uploads = new DraftUploads(backend, this)
    this.#backend = backend
    this.#writer = writer
    this.draftId = draft.id
    this.kind = draft.kind
    this.target = draft.target
    this.original = draft.original
    this.remindAt = draft.remindAt
    this.refusal = draft.state.kind === 'refused' ? draft.state.reason : null
    this.#inboxId = draft.inboxId
    this.#content = sanitizeDraftContent(draft.content)
    // The first revision contains only what Linnet put there.
    const isPristine = draft.revision === 0
    this.#initial = isPristine ? this.#content : null
    // Continue an existing draft at its end, unless that is below a signature.
    if (!isPristine && this.#content.text !== '' && this.#signature === '') this.caretWanted = Number.MAX_SAFE_INTEGER
  }

  /** Signature of the inbox as clean HTML, or ''. */
  get #signature(): string {
    return this.#writer.signatureOf(this.#inboxId)
  }

  /** True if the user has written nothing. Recipients, subject, quote, files and signature from Linnet don't count. */
  get isBlank(): boolean {
    const { text, files, subject, ...people } = this.content
    const signature = toOutgoingText(this.#signature)
    const words = stripSignature(text, signature).trim()
    if (words !== '' && words !== this.#initial?.text.trim()) return false
    if (this.uploads.isSending || files.some(({ id }) => !this.uploads.isForwarded(id))) return false
    if (RECIPIENT_FIELDS.some((field) => this.typed[field].trim() !== '')) return false
    const initial = this.#initial
    if (initial !== null) {
      return (
        subject === initial.subject &&
        RECIPIENT_FIELDS.every((field) => haveSameRecipients(people[field], initial[field]))
      )
    }
    // A reply has recipients and a subject before anything is typed.
    const isAnswer = this.kind === 'reply' || this.kind === 'replyAll'
    return isAnswer || (subject === '' && RECIPIENT_FIELDS.every((field) => people[field].length === 0))
  }

  get #content(): DraftContent {
    // Reading `#changes` subscribes the caller.
    return this.#changes >= 0 ? this.#untrackedContent : createEmptyContent()
  }

  set #content(content: DraftContent) {
    this.#untrackedContent = content
    this.#changes = untrack(() => this.#changes) + 1
  }

  get caret(): number | null {
    return this.#editor?.caret() ?? this.caretWanted ?? null
  }

  get inboxId(): string {
    return this.#inboxId
  }

  set inboxId(inboxId: string) {
    if (inboxId === this.#inboxId) return
    const before = this.#signature
    this.#inboxId = inboxId
    this.#readBody()
    this.#replaceSignature(before)
    this.#markChanged('from')
  }

  get content(): DraftContent {
    // The editor isn't reactive; the version signals its changes.
    if (this.version >= 0) this.#readBody()
    const { files } = this.#content
    const kept = files.filter((file) => this.#isPartOf(file))
    return kept.length === files.length ? this.#content : { ...this.#content, files: kept }
  }

  /** Current fields without reading the editor, for rendering on every change. */
  get fields(): Omit<DraftContent, 'html' | 'text'> {
    return this.#content
  }

  get isDirty(): boolean {
    return this.version !== this.#savedVersion
  }

  markSaved(version: number): void {
    this.#savedVersion = Math.max(this.#savedVersion, version)
  }

  /** Replaces the content without counting as a user edit, for example after a conflict or a change made elsewhere. */
  replace(content: DraftContent): void {
    this.#content = sanitizeDraftContent(content)
    this.#isBodyStale = false
    this.#richOriginal = null
    this.refusal = null
    this.generation += 1
  }

  set(change: Partial<Pick<DraftContent, 'to' | 'cc' | 'bcc' | 'subject' | 'quote'>>): void {
    this.#content = { ...this.#content, ...change }
    const [field = 'message'] = Object.keys(change)
    this.#markChanged(field === 'cc' || field === 'bcc' ? 'to' : (field as SendRefusal['field']))
  }

  /** Adds people to a field, except addresses that the message already has in any field. */
  addRecipients(field: RecipientField, people: readonly Recipient[]): void {
    const taken = RECIPIENT_FIELDS.flatMap((each) => this.#content[each]).map(({ address }) => address)
    const added = dedupeRecipients(people, taken)
    if (added.length > 0) this.set({ [field]: [...this.#content[field], ...added] })
  }

  removeRecipient(field: RecipientField, index: number): void {
    this.set({ [field]: this.#content[field].filter((_, at) => at !== index) })
  }

  /** Turns input into recipients. Invalid addresses are kept and marked as such, so no input is lost. */
  commit(field: RecipientField): void {
    const typed = this.typed[field].trim()
    this.typed[field] = ''
    if (typed === '') return
    this.addRecipients(field, parseExternalRecipients(typed))
  }

  /** Sets the editor; null removes it and keeps the text. */
  attach(editor: BodyEditor | null): void {
    this.#readBody()
    if (this.#editor !== null) this.caretWanted = this.#editor.caret()
    this.#editor = editor
    if (editor !== null && this.#isFocusWanted) this.focusBody()
  }

  /** Removes an editor and keeps its text; ignored if it was already replaced. */
  detach(editor: BodyEditor): void {
    if (editor === this.#editor) this.attach(null)
  }

  /** Adds the signature to a new message. Doesn't count as an edit, so an untouched message is saved without it. */
  sign(): void {
    this.#isSignatureUnsaved = this.#replaceSignature('')
  }

  /** Counts the signature as the user's own, so a message that contains nothing else is sent with it. */
  keepSignature(): void {
    if (this.#isSignatureUnsaved && !this.isDirty) this.#markChanged('body')
    this.#isSignatureUnsaved = false
  }

  bodyChanged(): void {
    this.#isBodyStale = true
    this.#markChanged('body')
  }

  /** Focuses the text, once the editor has loaded. */
  focusBody(): void {
    this.#isFocusWanted = this.#editor === null
    this.#editor?.focus(this.caretWanted)
    if (this.#editor !== null) this.caretWanted = undefined
  }

  /** Inserts a signature or canned reply at the caret. @param html unsafe HTML, which is cleaned first */
  insert(html: string): void {
    const clean = sanitizePaste(html, this.hasInlineImage)
    this.#editor?.insert(this.#content.format === 'plain' ? toOutgoingText(clean) : clean)
  }

  insertPicture(contentId: string, filename: string): void {
    this.#editor?.insert(`<img src="cid:${contentId}" alt="${filename.replace(/["<>&]/g, '')}">`)
  }

  /** Converts between rich and plain text. An unchanged text converts back exactly. */
  setFormat(format: DraftContent['format']): void {
    const { html, text, format: before } = this.content
    if (format === before) return
    if (format === 'plain') {
      const own = stripSignature(text, toOutgoingText(this.#signature))
      // The empty line above the signature is not part of the rich text.
      const plain = own === '' && text !== '' ? `\n\n${text}` : text
      this.#richOriginal = { html, text: plain }
      this.#content = { ...this.#content, format, html: '', text: plain }
    } else {
      const rich =
        this.#richOriginal?.text === text
          ? toOutgoingHtml(this.#richOriginal.html, this.hasInlineImage)
          : toOutgoingHtml(convertSpacingToLines(textToHtml(text)))
      this.#content = { ...this.#content, format, html: rich }
    }
    this.#editor = null
    this.caretWanted = undefined
    this.generation += 1
    this.#markChanged('body')
  }

  takeFiles(files: readonly DraftFile[]): void {
    if (files.length === 0) return
    this.#content = { ...this.#content, files: [...this.#content.files, ...files] }
    this.#markChanged('files')
  }

  /** Turns this into a draft of another account. @param copies every fully uploaded file, by the ID of its original */
  moveTo({ draftId, inboxId, copies }: MovedDraft): void {
    this.#readBody()
    const { files, html, quote, ...rest } = this.#content
    const withCopies = (markup: string): string =>
      files.reduce((words, { id, contentId: was }) => {
        const now = copies.get(id)?.contentId
        return was === null || now === undefined || now === null ? words : words.replaceAll(`cid:${was}`, `cid:${now}`)
      }, markup)
    this.#content = sanitizeDraftContent({
      ...rest,
      files: files.flatMap(({ id }) => copies.get(id) ?? []),
      html: withCopies(html),
      quote: quote && { ...quote, html: withCopies(quote.html) },
    })
    this.draftId = draftId
    this.#richOriginal = null
    if (this.#content.html !== html || this.#content.quote?.html !== quote?.html) this.generation += 1
    this.#forgetPictures()
    // Also switches the signature and starts a new version to save.
    this.inboxId = inboxId
  }

  removeFile(id: string): void {
    this.#readBody()
    const before = this.#content
    this.#content = { ...before, files: before.files.filter((file) => file.id !== id) }
    if (before.format === 'rich' && before.files.some((file) => file.id === id && file.contentId !== null)) {
      this.#content = sanitizeDraftContent(this.#content)
      this.generation += 1
    }
    this.#markChanged('files')
  }

  restoreFile(file: DraftFile, place: number): void {
    const { files } = this.#content
    if (files.some(({ id }) => id === file.id)) return
    this.#content = { ...this.#content, files: files.toSpliced(place, 0, file) }
    this.#markChanged('files')
  }

  readonly hasInlineImage: HasInlineImage = (contentId) => createInlineImageCheck(this.#content.files)(contentId)

  /** Validates the message before sending; first turns typed input into recipients. */
  check(): SendCheck {
    for (const field of RECIPIENT_FIELDS) this.commit(field)
    const { kind, warnings } = this
    const { leftOut, isUnderWay: isUploading } = this.uploads
    const signature = toOutgoingText(this.#signature)
    const { from = '', to = [], cc = [], replyTo = [] } = this.original ?? {}
    const known = [from, ...to, ...cc, ...replyTo, ...this.#writer.own]
    return checkBeforeSending(this.content, { kind, known, isUploading, leftOut, signature, warnings })
  }

  /** Reactive recipient warnings that the user has not accepted. */
  get warnings(): readonly string[] {
    const { to, cc, bcc } = this.#content
    const about = { kind: this.kind, original: this.original, own: this.#writer.own }
    const all = [...findRecipientWarnings([...to, ...cc, ...bcc], about), ...this.suppressed]
    return all.filter((sentence) => !this.#acceptedWarnings.includes(sentence))
  }

  agree(): void {
    this.#acceptedWarnings = [...this.#acceptedWarnings, ...this.warnings]
  }

  end(): void {
    this.uploads.end()
    this.#forgetPictures()
  }

  /** Object URL of a picture in the message; null if it can't be shown. */
  readonly pictureOf = (contentId: string): Promise<string | null> => {
    const picture = this.#pictures.get(contentId) ?? this.#readPicture(contentId)
    this.#pictures.set(contentId, picture)
    return picture
  }

  async #readPicture(contentId: string): Promise<string | null> {
    const file = this.fields.files.find((each) => each.contentId === contentId)
    if (file === undefined || !canShowQuoted(file.contentType)) return null
    const blob = await readDraftFile(this.#backend, this.draftId, file)
    return blob && URL.createObjectURL(blob)
  }

  #forgetPictures(): void {
    for (const picture of this.#pictures.values()) {
      void picture.then((address) => (address === null ? undefined : URL.revokeObjectURL(address)))
    }
    this.#pictures.clear()
  }

  /** Replaces one signature with the inbox's. @returns true if it changed */
  #replaceSignature(before: string): boolean {
    const after = this.#signature
    if (before === after) return false
    const { html, text, format } = this.#content
    const signed =
      format === 'plain' ? replaceTextSignature(text, before, after) : replaceHtmlSignature(html, before, after)
    // The user has edited the signature.
    if (signed === null) return false
    this.#content = {
      ...this.#content,
      ...(format === 'plain' ? { html: '', text: signed } : buildOutgoingBody(signed, this.hasInlineImage)),
    }
    this.#richOriginal = null
    this.generation += 1
    return true
  }

  #markChanged(field: SendRefusal['field']): void {
    this.version += 1
    if (this.refusal?.field === field) this.refusal = null
  }

  #readBody(): void {
    if (!this.#isBodyStale || this.#editor === null) return
    this.#isBodyStale = false
    const read = this.#editor.read()
    // Bypass the setter: the version has already notified subscribers.
    if (this.#untrackedContent.format === 'plain')
      this.#untrackedContent = { ...this.#untrackedContent, html: '', text: read }
    else this.#untrackedContent = { ...this.#untrackedContent, ...buildOutgoingBody(read, this.hasInlineImage) }
  }

  /** True if the file is part of the message. An image removed from rich text isn't, although undo may restore it. */
  #isPartOf({ contentId }: DraftFile): boolean {
    const { format, html, quote } = this.#content
    if (contentId === null || format === 'plain') return true
    return html.includes(`cid:${contentId}`) || quote?.html.includes(`cid:${contentId}`) === true
  }
}
