import type { BodyOwner } from '../../../shared/contract.ts'
import type { DraftContent, DraftFile } from '../../../shared/drafts.ts'
import { normalizeContentId, parseCidUrl } from '../../../shared/embedded-picture.ts'
import type { EmailBodies } from '../../../shared/model.ts'
import { decodeBase64 } from '../../ui/base64.ts'
import { isImageDataUrl } from '../bodies/block-images.ts'
import type { DraftEditor } from './draft-editor.svelte.ts'
import { canShowQuoted } from './draft-content.ts'
import { INLINE_IMAGE_URL } from './outgoing-html.ts'
import { wholeTextFile } from './reply-content.ts'
import type { ContentIdOf } from './visible-content.ts'

/** Creates the content of a reply or forward, with the given pictures in its quote. */
export type CreateQuoted = (contentIdOf: ContentIdOf) => Promise<DraftContent>

/** Content without pictures, and the addresses of the e-mail's pictures that its quote could show. */
export const createWithoutPictures = async (
  create: CreateQuoted,
): Promise<{ readonly content: DraftContent; readonly pictures: ReadonlySet<string> }> => {
  const pictures = new Set<string>()
  const content = await create((address) => {
    pictures.add(address)
    return null
  })
  return { content, pictures }
}

/** An embedded picture as a file; null if its address is not valid base64. @param number counted from 1 */
const toFile = (address: string, number: number): File | null => {
  const [, subtype = 'png', base64 = ''] = /^data:image\/([^;,]+)[^,]*;base64,(.*)$/is.exec(address) ?? []
  const type = subtype.toLowerCase().replace(/^p?jpe?g$/, 'jpeg')
  try {
    const bytes = decodeBase64(decodeURIComponent(base64).replace(/\s/g, ''))
    return bytes.length === 0 ? null : new File([bytes], `picture-${number}.${type}`, { type: `image/${type}` })
  } catch {
    return null
  }
}

/** SHA-256 in hexadecimal. */
const digestOf = async (file: File): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** True if the address names this part of the e-mail, by its Content-ID or its file name (RFC 2557). */
const isAddressOf = (address: string, { contentId, filename }: DraftFile): boolean => {
  const named = parseCidUrl(address)
  if (named === null) return !isImageDataUrl(address) && decodeURIComponent(address) === filename
  return named.toLowerCase() === normalizeContentId(contentId).toLowerCase()
}

/** Type of a file, by its name if its e-mail doesn't say. */
const pictureTypeOf = ({ contentType, filename }: DraftFile): string => {
  const [, ending] = /\.(png|jpe?g|gif|webp|bmp)$/i.exec(filename) ?? []
  if (contentType !== 'application/octet-stream' || ending === undefined) return contentType
  return `image/${ending.toLowerCase().replace('jpg', 'jpeg')}`
}

/** Embedded pictures of an answer, which leave room for the user's own files. The others are named by their alt text. */
const MAX_IN_ANSWER = 5

interface Original {
  readonly of: BodyOwner
  readonly bodies: EmailBodies
  readonly isForward: boolean
  /** Number of attachments. */
  readonly files: number
  readonly pictures: ReadonlySet<string>
}

/**
 * Attaches what belongs to a quote: pictures embedded in its HTML, and for a forwarded e-mail also its files and its
 * text, if that is too large to quote. Pictures in the text stay there; all other files are listed.
 */
export const attachOriginal = async (
  editing: DraftEditor,
  { of, bodies, isForward, files, pictures }: Original,
  create: CreateQuoted,
): Promise<void> => {
  const { uploads } = editing
  const { quote } = editing.fields
  const contentIds = new Map<string, string>()
  const whole = isForward ? await wholeTextFile(bodies, quote) : null
  if (whole !== null) await uploads.addForwarded(whole)
  const embedded = new Map<string, File>()
  // The platform embeds an e-mail's inline pictures in its HTML, so they are also among its files.
  const digests = new Map<string, string>()
  for (const [index, address] of [...pictures].filter(isImageDataUrl).entries()) {
    const file = toFile(address, index + 1)
    if (file === null) continue
    embedded.set(address, file)
    if (isForward && files > 0) digests.set(address, await digestOf(file))
  }
  if (isForward && files > 0) {
    await uploads.addFrom(of, (file) => {
      const address = [...pictures].find(
        (each) => !contentIds.has(each) && (digests.get(each) === file.digest || isAddressOf(each, file)),
      )
      const contentType = pictureTypeOf(file)
      if (address === undefined || !canShowQuoted(contentType)) return { ...file, contentId: null }
      const given = normalizeContentId(file.contentId)
      const contentId = INLINE_IMAGE_URL.test(`cid:${given}`) ? given : `${crypto.randomUUID()}@linnet`
      contentIds.set(address, contentId)
      return { ...file, contentId, contentType }
    })
  }
  for (const [address, file] of [...embedded].slice(0, isForward ? undefined : MAX_IN_ANSWER)) {
    const contentId = contentIds.has(address) ? null : await uploads.addForwarded(file, true)
    if (contentId !== null) contentIds.set(address, contentId)
  }
  // The user may have removed the quote in the meantime.
  if (contentIds.size === 0 || editing.fields.quote?.html !== quote?.html) return
  editing.set({ quote: (await create((address) => contentIds.get(address) ?? null)).quote })
}
