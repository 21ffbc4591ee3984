import { untrack } from 'svelte'
import { areSame, parseRecipients, withoutRepeats } from '../../../shared/recipients.ts'
import type {
  DraftContent,
  DraftFile,
  Recipient,
  SendRefusal,
  WritingKind,
  WritingTarget,
  OriginalHeaders,
} from '../../../shared/writing.ts'
import type { Backend } from '../../kernel/backend.ts'
import { cleanPaste } from './clean-paste.ts'
import type { ComposerForm } from './composer-form.ts'
import { bodyOf, carriedBy, cleaned, emptyContent } from './draft-content.ts'
import { DraftPictures } from './draft-pictures.ts'
import { DraftUploads } from './draft-uploads.svelte.ts'
import { outgoingHtml, type Carries } from './outgoing-html.ts'
import { outgoingText, textToHtml } from './outgoing-text.ts'
import { recipientWarnings } from './recipient-warnings.ts'
import { spacesAsLines } from './paragraph-lines.ts'
import { signHtml, signText, withoutSignature } from './signature.ts'
import { checkBeforeSending, type SendCheck } from './send-check.ts'

export const RECIPIENT_FIELDS = ['to', 'cc', 'bcc'] as const
export type RecipientField = (typeof RECIPIENT_FIELDS)[number]

export interface EditingStart {
  readonly draftId: string
  readonly inboxId: string
  readonly kind: WritingKind
  readonly target: WritingTarget | null
  readonly content: DraftContent
  /** Why it was not taken, where it was sent before. */
  readonly refusal?: SendRefusal | null
  /** What the e-mail that is answered or forwarded says of people. */
  readonly original?: OriginalHeaders | null
  /** Addresses of the person's own inboxes. */
  readonly own?: readonly string[]
  /** The signature of an inbox as it is put in, clean HTML; '' for none. */
  readonly signatureOf?: (inboxId: string) => string
  /** Nobody has written in it yet: what it holds is what Linnet has put there. */
  readonly isBegun?: boolean
}

/** Another draft in the place of one that is written. */
export interface MovedDraft {
  readonly draftId: string
  readonly inboxId: string
  readonly copies: ReadonlyMap<string, DraftFile>
}

/** What shows the person's words and lets them be changed. */
export interface BodyEditor {
  /** The words as the editor has them. */
  readonly read: () => string
  readonly insert: (html: string) => void
  /** @param caret where the caret is to be; where it was last if it is left out */
  readonly focus: (caret?: number) => void
  /** Where the caret is, as `focus` takes it. */
  readonly caret: () => number
}

/** What one draft holds while it is written: the fields, the words, the files, and what is wrong with them. */
export class DraftEditing {
  readonly kind: WritingKind
  readonly target: WritingTarget | null
  readonly original: OriginalHeaders | null
  readonly #own: readonly string[]
  readonly #signatureOf: (inboxId: string) => string
  readonly uploads: DraftUploads
  readonly pictures: DraftPictures

  /**
   * What it holds. It is no state itself: a composer that leaves the screen keeps it once more, and there Svelte would read the
   * state of before, without the words that were read from the editor in the same moment.
   */
  #held: DraftContent = emptyContent()
  #changes = $state(0)
  #draftId = $state('')
  #inboxId = $state('')
  #version = $state(0)
  #savedVersion = $state(0)
  /** Grows where the words are replaced from outside: the editor then takes them anew. */
  #generation = $state(0)
  /** Warnings that the person has agreed to. */
  #agreed: readonly string[] = $state.raw([])
  #editor: BodyEditor | null = null
  /** The caret is to be in the words, whose editor is still on its way. */
  #isFocusWanted = false
  /** Where it is to be then, as the words may be drawn elsewhere; undefined for where the editor begins. */
  #caretWanted: number | undefined
  /** What was in it before anybody wrote in it; null where that is not known. */
  readonly #began: DraftContent | null
  /** The signature was put in and is not kept yet. */
  #hasOwnSignature = false
  /** The words in the editor are newer than those in the content. */
  #isBodyStale = false
  /** The rich words that a plain text was made of, while it is still that text. */
  #before: { readonly html: string; readonly text: string } | null = null

  /** When the composer had the focus last, by the clock of the window; 0 for never. */
  focusedAt = 0
  /** Where it is on the screen; null where it is not. */
  form: ComposerForm | null = $state.raw(null)
  /** When the thread comes back unless somebody answers what is sent; null for never. */
  remindAt: number | null = $state(null)
  /** What is typed in a field of recipients and is none yet. */
  readonly typed: Record<RecipientField, string> = $state({ to: '', cc: '', bcc: '' })
  /** What is known of recipients to whom the platform sends nothing, in sentences. */
  suppressed: readonly string[] = $state.raw([])
  /** Why the message cannot be sent, at the field that it is about. */
  refusal: SendRefusal | null = $state.raw(null)

  constructor(
    backend: Pick<Backend, 'call'>,
    {
      draftId,
      inboxId,
      kind,
      target,
      content,
      original = null,
      refusal = null,
      own = [],
      signatureOf = () => '',
      isBegun = false,
    }: EditingStart,
  ) {
    this.uploads = new DraftUploads(backend, this)
    this.pictures = new DraftPictures(backend, this)
    this.original = original
    this.#own = own
    this.#signatureOf = signatureOf
    this.#draftId = draftId
    this.kind = kind
    this.target = target
    this.#inboxId = inboxId
    this.#content = cleaned(content)
    this.#began = isBegun ? this.#content : null
    this.refusal = refusal
    // What was begun is gone on with: at its end, where that is not below a signature.
    if (!isBegun && this.#content.text !== '' && signatureOf(inboxId) === '')
      this.#caretWanted = Number.MAX_SAFE_INTEGER
  }

  /**
   * Whether a person has written nothing in it: people, a subject, a quote, files and a signature that Linnet has put there are
   * not theirs.
   */
  get isBlank(): boolean {
    const { text, files, subject, ...people } = this.content
    const signature = outgoingText(this.#signatureOf(this.#inboxId))
    const words = withoutSignature(text, signature).trim()
    if (words !== '' && words !== this.#began?.text.trim()) return false
    if (this.uploads.isSending || files.some(({ id }) => !this.uploads.isForwarded(id))) return false
    if (RECIPIENT_FIELDS.some((field) => this.typed[field].trim() !== '')) return false
    const began = this.#began
    if (began !== null) {
      return subject === began.subject && RECIPIENT_FIELDS.every((field) => areSame(people[field], began[field]))
    }
    // An answer is to somebody, about something, before a word of it is written.
    const isAnswer = this.kind === 'reply' || this.kind === 'replyAll'
    return isAnswer || (subject === '' && RECIPIENT_FIELDS.every((field) => people[field].length === 0))
  }

  get #content(): DraftContent {
    // Whoever draws it is told of its changes.
    return this.#changes >= 0 ? this.#held : emptyContent()
  }

  set #content(content: DraftContent) {
    this.#held = content
    this.#changes = untrack(() => this.#changes) + 1
  }

  /** Where the caret is in the words, or was last; null where that is not known. */
  get caret(): number | null {
    return this.#editor?.caret() ?? this.#caretWanted ?? null
  }

  /** Where the caret is to be once somebody writes on. @param at as `caret` has given it */
  rememberCaret(at: number): void {
    this.#caretWanted = at
  }

  /** Puts the caret there as soon as the editor is there. @param at as `caret` has given it */
  placeCaret(at: number): void {
    this.#caretWanted = at
    this.#isFocusWanted = true
  }

  get draftId(): string {
    return this.#draftId
  }

  get inboxId(): string {
    return this.#inboxId
  }

  set inboxId(inboxId: string) {
    if (inboxId === this.#inboxId) return
    const before = this.#signatureOf(this.#inboxId)
    this.#inboxId = inboxId
    this.#readBody()
    this.#replaceSignature(before)
    this.#change('from')
  }

  /** What is to be kept and sent now. */
  get content(): DraftContent {
    // The editor has no runes: its changes are told by the version.
    if (this.#version >= 0) this.#readBody()
    const { files } = this.#content
    const kept = files.filter((file) => this.#isPartOf(file))
    return kept.length === files.length ? this.#content : { ...this.#content, files: kept }
  }

  /** The fields as they stand, without reading the editor: for what is drawn at each change of them. */
  get fields(): Omit<DraftContent, 'html' | 'text'> {
    return this.#content
  }

  /** Grows with each change by the person. */
  get version(): number {
    return this.#version
  }

  get generation(): number {
    return this.#generation
  }

  get isDirty(): boolean {
    return this.#version !== this.#savedVersion
  }

  /** Says that the content read at a version is kept. */
  markSaved(version: number): void {
    this.#savedVersion = Math.max(this.#savedVersion, version)
  }

  /** Puts another content in the place of this one: what was decided or changed elsewhere, no change of the person. */
  replace(content: DraftContent): void {
    this.#content = cleaned(content)
    this.#isBodyStale = false
    this.#before = null
    this.refusal = null
    this.#generation += 1
  }

  set(change: Partial<Pick<DraftContent, 'to' | 'cc' | 'bcc' | 'subject' | 'quote'>>): void {
    this.#content = { ...this.#content, ...change }
    const [field = 'message'] = Object.keys(change)
    this.#change(field === 'cc' || field === 'bcc' ? 'to' : (field as SendRefusal['field']))
  }

  /** Adds people to a field, each address once in the whole message: one that is there already is where it was. */
  addRecipients(field: RecipientField, people: readonly Recipient[]): void {
    const taken = RECIPIENT_FIELDS.flatMap((each) => this.#content[each]).map(({ address }) => address)
    const added = withoutRepeats(people, taken)
    if (added.length > 0) this.set({ [field]: [...this.#content[field], ...added] })
  }

  removeRecipient(field: RecipientField, index: number): void {
    this.set({ [field]: this.#content[field].filter((_, at) => at !== index) })
  }

  /** Makes recipients of what is typed in a field: what is not an address stands there marked, nothing typed is lost. */
  commit(field: RecipientField): void {
    const typed = this.typed[field].trim()
    this.typed[field] = ''
    if (typed === '') return
    const { recipients, unclear } = parseRecipients(typed)
    this.addRecipients(field, [
      ...recipients,
      ...unclear.map((address) => ({ name: null, address: address.slice(0, 512) })),
    ])
  }

  /** The editor that shows the words now; null where it is taken away, its words kept. */
  attach(editor: BodyEditor | null): void {
    this.#readBody()
    if (this.#editor !== null) this.#caretWanted = this.#editor.caret()
    this.#editor = editor
    if (editor !== null && this.#isFocusWanted) this.focusBody()
  }

  /** An editor is taken away, its words kept. One whose place another has taken already takes nothing from that. */
  detach(editor: BodyEditor): void {
    if (editor === this.#editor) this.attach(null)
  }

  /**
   * Puts the signature below the words of a message that was just begun. It is no change of the person: a message that nobody
   * has written in is kept without it.
   */
  sign(): void {
    this.#hasOwnSignature = this.#replaceSignature('')
  }

  /** Counts the signature as the person's own: it is sent with a message that they wrote nothing else in. */
  keepSignature(): void {
    if (this.#hasOwnSignature && !this.isDirty) this.#change('body')
    this.#hasOwnSignature = false
  }

  /** The person has changed the words in the editor. */
  bodyChanged(): void {
    this.#isBodyStale = true
    this.#change('body')
  }

  /** Puts the caret into the words, as soon as the editor is there. */
  focusBody(): void {
    this.#isFocusWanted = this.#editor === null
    this.#editor?.focus(this.#caretWanted)
    if (this.#editor !== null) this.#caretWanted = undefined
  }

  /** Puts words where the caret is: a signature, a canned reply. @param html in any state: it is cleaned */
  insert(html: string): void {
    const clean = cleanPaste(html, this.carries)
    this.#editor?.insert(this.#content.format === 'plain' ? outgoingText(clean) : clean)
  }

  /** Puts a picture that came in where the caret is. */
  insertPicture(contentId: string, filename: string): void {
    this.#editor?.insert(`<img src="cid:${contentId}" alt="${filename.replace(/["<>&]/g, '')}">`)
  }

  /** Turns rich text into plain, or plain into rich. What was not changed in between comes back as it was. */
  setFormat(format: DraftContent['format']): void {
    const { html, text, format: before } = this.content
    if (format === before) return
    if (format === 'plain') {
      const own = withoutSignature(text, outgoingText(this.#signatureOf(this.#inboxId)))
      // The line above the signature, where the person writes, is no words of the rich text.
      const plain = own === '' && text !== '' ? `\n\n${text}` : text
      this.#before = { html, text: plain }
      this.#content = { ...this.#content, format, html: '', text: plain }
    } else {
      const rich =
        this.#before?.text === text
          ? outgoingHtml(this.#before.html, this.carries)
          : outgoingHtml(spacesAsLines(textToHtml(text)))
      this.#content = { ...this.#content, format, html: rich }
    }
    this.#editor = null
    this.#caretWanted = undefined
    this.#generation += 1
    this.#change('body')
  }

  takeFiles(files: readonly DraftFile[]): void {
    if (files.length === 0) return
    this.#content = { ...this.#content, files: [...this.#content.files, ...files] }
    this.#change('files')
  }

  /**
   * Goes on as another draft, which has the same words and is another account's. @param copies the files as that one has them, by
   * their IDs here: each file that is fully here
   */
  moveTo({ draftId, inboxId, copies }: MovedDraft): void {
    this.#readBody()
    const { files, html, quote, ...rest } = this.#content
    const withCopies = (markup: string): string =>
      files.reduce((words, { id, contentId: was }) => {
        const now = copies.get(id)?.contentId
        return was === null || now === undefined || now === null ? words : words.replaceAll(`cid:${was}`, `cid:${now}`)
      }, markup)
    this.#content = cleaned({
      ...rest,
      files: files.flatMap(({ id }) => copies.get(id) ?? []),
      html: withCopies(html),
      quote: quote && { ...quote, html: withCopies(quote.html) },
    })
    this.#draftId = draftId
    this.#before = null
    if (this.#content.html !== html || this.#content.quote?.html !== quote?.html) this.#generation += 1
    this.pictures.forget()
    // The signature of the other inbox, and a version to keep.
    this.inboxId = inboxId
  }

  removeFile(id: string): void {
    this.#readBody()
    const before = this.#content
    this.#content = { ...before, files: before.files.filter((file) => file.id !== id) }
    if (before.format === 'rich' && before.files.some((file) => file.id === id && file.contentId !== null)) {
      this.#content = cleaned(this.#content)
      this.#generation += 1
    }
    this.#change('files')
  }

  /** Puts a file back that was taken out. @param place among the files, from 0 */
  putFileBack(file: DraftFile, place: number): void {
    const { files } = this.#content
    if (files.some(({ id }) => id === file.id)) return
    this.#content = { ...this.#content, files: files.toSpliced(place, 0, file) }
    this.#change('files')
  }

  /** Whether the draft has the picture that its text names so. */
  readonly carries: Carries = (contentId) => carriedBy(this.#content.files)(contentId)

  /** Looks the message over before it is sent; what is typed in the fields is taken as recipients first. */
  check(): SendCheck {
    for (const field of RECIPIENT_FIELDS) this.commit(field)
    const { kind, warnings } = this
    const { leftOut, isUnderWay: isUploading } = this.uploads
    const signature = outgoingText(this.#signatureOf(this.#inboxId))
    const { from = '', to = [], cc = [], replyTo = [] } = this.original ?? {}
    const known = [from, ...to, ...cc, ...replyTo, ...this.#own]
    return checkBeforeSending(this.content, { kind, known, isUploading, leftOut, signature, warnings })
  }

  /** What the person should know of the recipients and has not agreed to: sentences; reactive. */
  get warnings(): readonly string[] {
    const { to, cc, bcc } = this.#content
    const about = { kind: this.kind, original: this.original, own: this.#own }
    const all = [...recipientWarnings([...to, ...cc, ...bcc], about), ...this.suppressed]
    return all.filter((sentence) => !this.#agreed.includes(sentence))
  }

  /** The person knows what the warnings say, and means these recipients. */
  agree(): void {
    this.#agreed = [...this.#agreed, ...this.warnings]
  }

  /** Lets go of what it holds; called where its editing ends. */
  end(): void {
    this.uploads.end()
    this.pictures.forget()
  }

  /** Puts the signature of the inbox in the place of another one. @returns whether there is another one now */
  #replaceSignature(before: string): boolean {
    const after = this.#signatureOf(this.#inboxId)
    if (before === after) return false
    const { html, text, format } = this.#content
    const signed = format === 'plain' ? signText(text, before, after) : signHtml(html, before, after)
    // What the person has made of it is theirs.
    if (signed === null) return false
    this.#content = {
      ...this.#content,
      ...(format === 'plain' ? { html: '', text: signed } : bodyOf(signed, this.carries)),
    }
    this.#before = null
    this.#generation += 1
    return true
  }

  #change(field: SendRefusal['field']): void {
    this.#version += 1
    if (this.refusal?.field === field) this.refusal = null
  }

  #readBody(): void {
    if (!this.#isBodyStale || this.#editor === null) return
    this.#isBodyStale = false
    const read = this.#editor.read()
    // The version has told of it.
    if (this.#held.format === 'plain') this.#held = { ...this.#held, html: '', text: read }
    else this.#held = { ...this.#held, ...bodyOf(read, this.carries) }
  }

  /**
   * Whether a file is sent: a picture that was taken out of the text is not, and the editor may still bring it back. In plain
   * text pictures go along as other files do.
   */
  #isPartOf({ contentId }: DraftFile): boolean {
    const { format, html, quote } = this.#content
    if (contentId === null || format === 'plain') return true
    return html.includes(`cid:${contentId}`) || quote?.html.includes(`cid:${contentId}`) === true
  }
}
