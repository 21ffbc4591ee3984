import { randomUUID } from 'node:crypto'
import { attachmentFilename } from '../../shared/attachment-filename.ts'
import type { BodyOwner } from '../../shared/contract.ts'
import { ATTACHMENT_PIECE } from '../../shared/attachments.ts'
import type {
  Draft,
  DraftContent,
  DraftFile,
  DraftSummary,
  LeftOutFile,
  WritingKind,
  WritingTarget,
  OriginalHeaders,
} from '../../shared/writing.ts'
import type { Attachments } from '../attachments/attachments.ts'
import { problem, saying } from '../saying.ts'
import type { DraftFiles } from './draft-files.ts'
import type { DraftSync } from './draft-sync.ts'
import { canChange, isOnPlatform, type KeptDraft } from './kept-draft.ts'
import { holderOf } from './one-answer.ts'
import { summaryOfPlatform, type PlatformDrafts } from './platform-drafts.ts'
import { createUploads, refusalOfFile } from './uploads.ts'

/** The drafts of an account, as a person works with them. All throw `not_found` for a draft that is not there. */
export interface Drafts {
  readonly files: DraftFiles
  /**
   * Last changed first.
   * @param inboxId of all inboxes where it is not given
   * @param isAsKnown the platform is not asked what else it has
   */
  readonly list: (inboxId?: string, isAsKnown?: boolean) => readonly DraftSummary[]
  readonly open: (id: string) => Promise<Draft>
  readonly create: (
    inboxId: string,
    kind: WritingKind,
    target: WritingTarget | null,
    content: DraftContent,
    isUntouched?: boolean,
  ) => { readonly draftId: string; readonly revision: number }
  /** @param revision the one that was changed @returns the one that it has now @throws ProblemError `conflict` */
  readonly save: (id: string, revision: number, content: DraftContent, inboxId?: string) => number
  readonly discard: (id: string) => Promise<void>
  /**
   * Resolves when no request about a draft is under way, and it is known what the platform has of it: before it is sent.
   * @throws what the platform throws where that cannot be found out now
   */
  readonly quiet: (id: string) => Promise<void>
  readonly restore: (id: string) => void
  readonly settle: (id: string, keep: 'ours' | 'theirs' | 'both') => Draft
  readonly addFile: (piece: {
    readonly draftId: string
    readonly upload: string
    readonly place: number
    readonly bytes: Uint8Array
    readonly isLast: boolean
    readonly filename: string
    readonly contentType: string
    readonly isInline: boolean
  }) => DraftFile | null
  /** Adds the attachments of an e-mail that a message can carry. @throws what the platform throws: none is added then */
  readonly addFrom: (
    id: string,
    of: BodyOwner,
  ) => Promise<{ readonly files: readonly DraftFile[]; readonly leftOut: readonly LeftOutFile[] }>
  /** @returns the bytes from there on; null past the end */
  readonly readFile: (id: string, fileId: string, place: number) => Uint8Array | null
}

/** Of the text, in a list. */
const SNIPPET_CHARACTERS = 200

const snippetOf = ({ text }: DraftContent): string =>
  text
    .slice(0, SNIPPET_CHARACTERS * 4)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, SNIPPET_CHARACTERS)

const summaryOf = (draft: KeptDraft): DraftSummary => ({
  id: draft.id,
  inboxId: draft.inboxId,
  kind: draft.kind,
  target: draft.target,
  to: draft.content.to,
  subject: draft.content.subject,
  snippet: snippetOf(draft.content),
  state: draft.state,
  updatedAt: Math.max(draft.updatedAt, draft.theirs?.updatedAt ?? 0),
  files: draft.content.files.length,
  isOurs: draft.isOurs,
  isSynced: isOnPlatform(draft) && draft.theirs === null,
  hasConflict: draft.theirs !== null,
  notKept: !isOnPlatform(draft) && draft.notKept?.revision === draft.revision ? draft.notKept.reason : null,
})

const GONE = 'This draft no longer exists.'
const ELSEWHERE = 'This draft was changed in another window. Open it again to see the changes.'
const BEING_SENT = 'This message is being sent. Undo that before you change it.'

/** A type that a header can carry. */
const typeOf = (contentType: string): string =>
  /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(contentType) ? contentType : 'application/octet-stream'

export const createDrafts = ({
  files,
  attachments,
  hasInbox,
  headersOf,
  inboxIds,
  theirs: others,
  sync,
  now,
}: {
  readonly files: DraftFiles
  readonly attachments: Pick<Attachments, 'list' | 'fetch' | 'find'>
  /** Whether an inbox is one of the account's. */
  readonly hasInbox: (inboxId: string) => boolean
  /** What an e-mail of a thread says of people; null for one that is not here. */
  readonly headersOf: (inboxId: string, of: WritingTarget) => OriginalHeaders | null
  /** Those of the platform. */
  readonly theirs: Pick<PlatformDrafts, 'of' | 'find' | 'open' | 'refresh'>
  readonly inboxIds: () => readonly string[]
  readonly sync: Pick<DraftSync, 'changed' | 'quiet'>
  /** Wall time, milliseconds since the epoch. */
  readonly now: () => number
}): Drafts => {
  const uploads = createUploads(now)
  /** Files that were added since the start: the composer names them in the content a moment later, or again after an undo. */
  const added = new Map<string, { readonly draftId: string; readonly file: DraftFile }>()

  const whole = (draft: KeptDraft): Draft => ({
    ...summaryOf(draft),
    content: draft.content,
    original: draft.target === null ? null : headersOf(draft.inboxId, draft.target),
    revision: draft.revision,
    theirs: draft.theirs?.content ?? null,
  })

  const find = (id: string): KeptDraft => {
    const draft = files.get(id)
    if (draft?.discardedAt !== null) throw problem('not_found', GONE)
    return draft
  }
  /** Those of the platform that were opened: from then on they can be taken over. */
  const opened = new Map<string, KeptDraft>()
  const takeIn = async (id: string): Promise<KeptDraft> => {
    // What the platform has of a draft here is that draft.
    const holder = holderOf(files.all(), id, id)
    if (holder !== undefined) return find(holder.id)
    const found = files.get(id) === undefined ? others.find(id) : null
    if (found === null) return find(id)
    const { inboxId } = found
    const { draft, ...seen } = await others.open(inboxId, id).catch((thrown: unknown) => {
      throw saying(thrown, {
        unreachable: 'You are offline, and the text of this draft is not on this computer yet. Go online to read it.',
        not_found: GONE,
      })
    })
    if (draft.emailId !== null) throw problem('not_found', 'This draft was sent in the meantime.')
    const { kind, target } = summaryOfPlatform(inboxId, found.draft)
    const at = seen.updatedAt ?? now()
    const taken: KeptDraft = {
      ...{ id, inboxId, kind, target, content: seen.content, revision: 0, state: { kind: 'open' }, isOurs: false },
      platform: { id, inboxId, revision: 0, seen },
      ...{ theirs: null, request: null, standsAlone: false, notKept: null, sending: null, discardedAt: null },
      ...{ createdAt: at, updatedAt: at },
    }
    opened.set(id, taken)
    return taken
  }
  /** One of this computer, or one of the platform that was opened. */
  const known = (id: string): KeptDraft => {
    // It has become that of a draft here since it was opened.
    if (holderOf(files.all(), id, id) !== undefined) throw problem('conflict', ELSEWHERE)
    return files.get(id) === undefined ? (opened.get(id) ?? find(id)) : find(id)
  }
  const checkWritable = (draft: KeptDraft): void => {
    if (!canChange(draft)) throw problem('conflict', BEING_SENT)
  }
  const checkInbox = (inboxId: string): void => {
    if (!hasInbox(inboxId)) throw problem('not_found', 'This account has no such inbox.')
  }
  const put = (draft: KeptDraft): void => {
    files.put(draft)
    sync.changed(draft.id)
  }
  const keep = (
    draftId: string,
    bytes: Uint8Array,
    about: Pick<DraftFile, 'filename' | 'contentType' | 'contentId'>,
  ) => {
    const file: DraftFile = {
      id: `file-${randomUUID()}`,
      filename: about.filename,
      contentType: typeOf(about.contentType),
      size: bytes.byteLength,
      digest: files.keepBytes(bytes),
      contentId: about.contentId,
      platformId: null,
    }
    added.set(file.id, { draftId, file })
    return file
  }
  const begin = (
    draft: Pick<KeptDraft, 'inboxId' | 'kind' | 'target' | 'content' | 'isOurs'>,
    isUntouched = false,
  ): { readonly draftId: string; readonly revision: number } => {
    const at = now()
    const id = `draft-${randomUUID()}`
    const { inboxId, kind, target, content, isOurs } = draft
    put({
      ...{ id, inboxId, kind, target, content, isOurs },
      ...(isUntouched && { isUntouched }),
      revision: 0,
      state: { kind: 'open' },
      platform: null,
      theirs: null,
      request: null,
      standsAlone: false,
      notKept: null,
      sending: null,
      discardedAt: null,
      createdAt: at,
      updatedAt: at,
    })
    return { draftId: id, revision: 0 }
  }

  return {
    files,
    list: (inboxId, isAsKnown = false) => {
      const kept = files.all()
      const taken = new Set(kept.flatMap(({ id, platform }) => [id, platform?.id ?? id]))
      const own = kept
        .filter(({ discardedAt, isUntouched }) => discardedAt === null && isUntouched !== true)
        .map(summaryOf)
      // What was asked for and not answered may be there already: it is this computer's own.
      const asked = new Set(
        kept.flatMap(({ request, platform }) =>
          request === null || platform !== null ? [] : [request.content.subject],
        ),
      )
      const inboxes = inboxId === undefined ? inboxIds() : [inboxId]
      if (!isAsKnown) for (const each of inboxes) others.refresh(each)
      const there = inboxes.flatMap((each) => others.of(each).map((draft) => summaryOfPlatform(each, draft)))
      return [
        ...own.filter((draft) => inboxId === undefined || draft.inboxId === inboxId),
        ...there.filter(({ id, subject }) => !taken.has(id) && !asked.has(subject)),
      ].toSorted((one, other) => other.updatedAt - one.updatedAt)
    },
    open: async (id) => whole(await takeIn(id)),
    create: (inboxId, kind, target, content, isUntouched) => {
      checkInbox(inboxId)
      return begin({ inboxId, kind, target, content, isOurs: true }, isUntouched)
    },
    save: (id, revision, content, inboxId) => {
      const { isUntouched: _before, ...draft } = known(id)
      checkWritable(draft)
      if (draft.revision !== revision) throw problem('conflict', ELSEWHERE)
      if (inboxId !== undefined) checkInbox(inboxId)
      const next = revision + 1
      put({
        ...draft,
        inboxId: inboxId ?? draft.inboxId,
        content,
        revision: next,
        // What was refused is mended: whether it is taken now is told when it is sent again.
        state: { kind: 'open' },
        sending: null,
        updatedAt: now(),
      })
      return next
    },
    discard: async (id) => {
      // With its text, so that it can be restored.
      const draft = await takeIn(id)
      if (draft.id !== id) throw problem('conflict', ELSEWHERE)
      checkWritable(draft)
      put({ ...draft, discardedAt: now() })
    },
    quiet: sync.quiet,
    restore: (id) => {
      const draft = files.get(id)
      if (draft === undefined || !canChange(draft)) {
        throw problem('not_found', 'This draft was deleted for good, or sent.')
      }
      if (draft.discardedAt !== null) put({ ...draft, discardedAt: null, updatedAt: now() })
    },
    settle: (id, choice) => {
      const draft = find(id)
      checkWritable(draft)
      const { theirs, platform } = draft
      if (theirs === null) return whole(draft)
      if (choice === 'both') begin({ ...draft, kind: 'new', target: null, content: theirs.content, isOurs: false })
      const revision = draft.revision + 1
      const seen = platform === null ? null : { ...platform, seen: theirs }
      const isTheirs = choice === 'theirs'
      put({
        ...draft,
        content: isTheirs ? theirs.content : draft.content,
        revision,
        platform: seen && { ...seen, revision: isTheirs ? revision : null },
        theirs: null,
        updatedAt: now(),
      })
      return whole(find(id))
    },
    addFile: ({ draftId, upload, place, bytes, isLast, filename, contentType, isInline }) => {
      const { content } = known(draftId)
      const all = uploads.add({ draftId, upload, place, bytes, isLast, filename }, content.files)
      if (all === null) return null
      return keep(draftId, all, { filename, contentType, contentId: isInline ? `${randomUUID()}@linnet` : null })
    },
    addFrom: async (id, of) => {
      known(id)
      const { items, problem: unknown } = await attachments.list(of)
      if (unknown !== null && items.length === 0) throw problem(unknown.code, unknown.message)
      const fetched: { readonly bytes: Uint8Array; readonly about: Parameters<typeof keep>[2] }[] = []
      const leftOut: LeftOutFile[] = []
      for (const { id: attachmentId, filename: given, contentType, contentId, size } of items) {
        const filename = attachmentFilename({ filename: given, contentType })
        const refusal = (bytes: number): string | null =>
          refusalOfFile(filename, bytes, [
            ...known(id).content.files,
            ...fetched.map((each) => ({ size: each.bytes.byteLength })),
          ])
        // What cannot go along is not fetched, and named: a forwarded message that lacks one of its files would look whole.
        let message = refusal(size ?? 0)
        if (message === null) {
          const { bytes } = await attachments.fetch(of, attachmentId)
          message = refusal(bytes.byteLength)
          // Once it is here, its type is known, and with it a name for what has none.
          const found = await attachments.find(of, attachmentId)
          const about = {
            filename: attachmentFilename(found),
            contentType: found.contentType ?? 'application/octet-stream',
            contentId,
          }
          if (message === null) fetched.push({ bytes, about })
        }
        if (message !== null) leftOut.push({ filename, message })
      }
      return { files: fetched.map(({ bytes, about }) => keep(id, bytes, about)), leftOut }
    },
    readFile: (id, fileId, place) => {
      const { content, theirs } = known(id)
      const own = added.get(fileId)
      const file =
        (own?.draftId === id ? own.file : undefined) ??
        [...content.files, ...(theirs?.content.files ?? [])].find((each) => each.id === fileId)
      const digest = file?.digest ?? null
      const bytes = digest === null ? null : files.bytes(digest)
      if (bytes === null) throw problem('not_found', 'This file is no longer on this computer. Attach it again.')
      const from = place * ATTACHMENT_PIECE
      return from >= bytes.byteLength ? null : bytes.subarray(from, from + ATTACHMENT_PIECE)
    },
  }
}
