import { randomUUID } from 'node:crypto'
import type { BodyOwner } from '../../shared/contract.ts'
import { ATTACHMENT_PIECE } from '../../shared/model.ts'
import type { Draft, DraftContent, DraftFile, DraftSummary, WritingKind, WritingTarget } from '../../shared/writing.ts'
import { attachmentFilename } from '../attachments/attachment-filename.ts'
import type { Attachments } from '../attachments/attachments.ts'
import { problem } from '../saying.ts'
import type { DraftFiles } from './draft-files.ts'
import { isOnPlatform, type KeptDraft } from './kept-draft.ts'
import { checkFile, createUploads } from './uploads.ts'

/** The drafts of an account, as a person works with them. All throw `not_found` for a draft that is not there. */
export interface Drafts {
  readonly files: DraftFiles
  /** Last changed first. @param inboxId of all inboxes where it is not given */
  readonly list: (inboxId?: string) => readonly DraftSummary[]
  readonly open: (id: string) => Draft
  readonly create: (
    inboxId: string,
    kind: WritingKind,
    target: WritingTarget | null,
    content: DraftContent,
  ) => { readonly draftId: string; readonly revision: number }
  /** @param revision the one that was changed @returns the one that it has now @throws ProblemError `conflict` */
  readonly save: (id: string, revision: number, content: DraftContent, inboxId?: string) => number
  readonly discard: (id: string) => void
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
  readonly addFrom: (id: string, of: BodyOwner) => Promise<readonly DraftFile[]>
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
})

const whole = (draft: KeptDraft): Draft => ({
  ...summaryOf(draft),
  content: draft.content,
  revision: draft.revision,
  theirs: draft.theirs?.content ?? null,
})

const GONE = 'This draft is not there any more.'
const ELSEWHERE = 'This draft was changed in another window. Open it again to see what was written there.'
const BEING_SENT = 'This message is on its way. Take it back before you change it.'

/** A type that a header can carry. */
const typeOf = (contentType: string): string =>
  /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(contentType) ? contentType : 'application/octet-stream'

export const createDrafts = ({
  files,
  attachments,
  hasInbox,
  changed,
}: {
  readonly files: DraftFiles
  readonly attachments: Pick<Attachments, 'list' | 'fetch'>
  /** Whether an inbox is one of the account's. */
  readonly hasInbox: (inboxId: string) => boolean
  /** Is told of a draft whose content the platform is to have, or which it is to lose. */
  readonly changed: (draft: KeptDraft) => void
}): Drafts => {
  const uploads = createUploads()
  /** Files that were added since the start: the composer names them in the content a moment later, or again after an undo. */
  const added = new Map<string, { readonly draftId: string; readonly file: DraftFile }>()

  const find = (id: string): KeptDraft => {
    const draft = files.get(id)
    if (draft?.discardedAt !== null) throw problem('not_found', GONE)
    return draft
  }
  const checkWritable = ({ state }: KeptDraft): void => {
    if (state.kind !== 'open' && state.kind !== 'refused') throw problem('conflict', BEING_SENT)
  }
  const checkInbox = (inboxId: string): void => {
    if (!hasInbox(inboxId)) throw problem('not_found', 'There is no such inbox in this account.')
  }
  const put = (draft: KeptDraft): void => {
    files.put(draft)
    changed(draft)
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
  ): { readonly draftId: string; readonly revision: number } => {
    const now = Date.now()
    const id = `draft-${randomUUID()}`
    const { inboxId, kind, target, content, isOurs } = draft
    put({
      ...{ id, inboxId, kind, target, content, isOurs },
      revision: 0,
      state: { kind: 'open' },
      platform: null,
      theirs: null,
      sending: null,
      discardedAt: null,
      createdAt: now,
      updatedAt: now,
    })
    return { draftId: id, revision: 0 }
  }

  return {
    files,
    list: (inboxId) =>
      files
        .all()
        .filter((draft) => draft.discardedAt === null && (inboxId === undefined || draft.inboxId === inboxId))
        .map(summaryOf)
        .toSorted((one, other) => other.updatedAt - one.updatedAt),
    open: (id) => whole(find(id)),
    create: (inboxId, kind, target, content) => {
      checkInbox(inboxId)
      return begin({ inboxId, kind, target, content, isOurs: true })
    },
    save: (id, revision, content, inboxId) => {
      const draft = find(id)
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
        updatedAt: Date.now(),
      })
      return next
    },
    discard: (id) => {
      const draft = find(id)
      checkWritable(draft)
      put({ ...draft, discardedAt: Date.now() })
    },
    restore: (id) => {
      const draft = files.get(id)
      if (draft === undefined) throw problem('not_found', 'This draft was thrown away for good.')
      if (draft.discardedAt !== null) put({ ...draft, discardedAt: null, updatedAt: Date.now() })
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
        updatedAt: Date.now(),
      })
      return whole(find(id))
    },
    addFile: ({ draftId, upload, place, bytes, isLast, filename, contentType, isInline }) => {
      const { content } = find(draftId)
      const all = uploads.add({ draftId, upload, place, bytes, isLast, filename }, content.files)
      if (all === null) return null
      return keep(draftId, all, { filename, contentType, contentId: isInline ? `${randomUUID()}@linnet` : null })
    },
    addFrom: async (id, of) => {
      find(id)
      const { items, problem: unknown } = await attachments.list(of)
      if (unknown !== null && items.length === 0) throw problem(unknown.code, unknown.message)
      const fetched: { readonly bytes: Uint8Array; readonly about: Parameters<typeof keep>[2] }[] = []
      for (const { id: attachmentId, filename, contentType, contentId } of items) {
        const { bytes } = await attachments.fetch(of, attachmentId)
        const name = attachmentFilename({ filename, contentType })
        // All of them or none: a forwarded message that lacks one of its files would look whole.
        checkFile(name, bytes.byteLength, [
          ...find(id).content.files,
          ...fetched.map((each) => ({ size: each.bytes.byteLength })),
        ])
        const about = { filename: name, contentType: contentType ?? 'application/octet-stream', contentId }
        fetched.push({ bytes, about })
      }
      return fetched.map(({ bytes, about }) => keep(id, bytes, about))
    },
    readFile: (id, fileId, place) => {
      const { content, theirs } = find(id)
      const own = added.get(fileId)
      const file =
        (own?.draftId === id ? own.file : undefined) ??
        [...content.files, ...(theirs?.content.files ?? [])].find((each) => each.id === fileId)
      const digest = file?.digest ?? null
      const bytes = digest === null ? null : files.bytes(digest)
      if (bytes === null) throw problem('not_found', 'This file is not on this computer any more. Add it again.')
      const from = place * ATTACHMENT_PIECE
      return from >= bytes.byteLength ? null : bytes.subarray(from, from + ATTACHMENT_PIECE)
    },
  }
}
