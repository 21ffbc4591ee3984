import { decodePercent } from './decode-percent.ts'
import { toSafeFilename } from './safe-filename.ts'
import type { DisplayablePictureType } from './attachments.ts'

/** Maximum characters of an address or Content-ID. Content-IDs have a few dozen (RFC 2392). */
const MAX_LENGTH = 1_000

export const normalizeContentId = (contentId: string | null | undefined): string =>
  (contentId ?? '').trim().replace(/^<|>$/g, '').trim()

/**
 * File name in a relative address such as `images/logo.png`, which may be a part of the e-mail (RFC 2557, 5); otherwise
 * null.
 */
export const parseEmbeddedFilename = (address: string): string | null => {
  const written = address.trim()
  if (written.length > MAX_LENGTH || /^(?:[a-z][a-z\d+.-]*:|[\\/]{2}|[?#])/i.test(written)) return null
  return decodePercent(written.replace(/[?#].*$/s, '').replace(/^(?:\.?\/)+/, '')) || null
}

/** Content-ID in a `cid:` address (RFC 2392), which refers to a picture in the e-mail; null for other addresses. */
export const parseCidUrl = (address: string): string | null => {
  const [, name] = /^cid:(.+)$/is.exec(address.trim()) ?? []
  if (name === undefined || name.length > MAX_LENGTH) return null
  return normalizeContentId(decodePercent(name)) || null
}

const EXTENSIONS: Readonly<Record<DisplayablePictureType, readonly [usual: string, ...others: string[]]>> = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'image/avif': ['avif'],
  'image/bmp': ['bmp'],
  'image/x-icon': ['ico'],
}

const NAMELESS = 'picture'

/** Last segment of a web address's path; empty for other addresses. */
const fileInPath = (address: string): string => {
  const [, path = ''] = /^https?:\/\/[^/?#]*([^?#]*)/i.exec(address) ?? []
  return decodePercent(path.split('/').at(-1) ?? '')
}

/**
 * Name in a picture's address: a Content-ID without its host, a filename, or the last segment of a web path. Empty for
 * `data:`.
 */
const nameIn = (address: string): string => {
  // A `data:` URL has no name and can be megabytes long.
  if (/^data:/i.test(address)) return ''
  const contentId = parseCidUrl(address)
  if (contentId !== null) return contentId.replace(/@[^@]*$/, '')
  return parseEmbeddedFilename(address)?.split(/[\\/]/).at(-1) ?? fileInPath(address)
}

/**
 * Filename for saving a picture. The message suggests the name and the bytes decide the extension: a file that the
 * sender calls a program or a page is still saved as a picture.
 * @param filename name of the attachment, if the picture is one
 */
export const buildPictureFilename = (
  address: string,
  type: DisplayablePictureType,
  filename: string | null = null,
): string => {
  const name = toSafeFilename(filename ?? '') || toSafeFilename(nameIn(address))
  const [, base = name, ending = ''] = /^(.*)\.([a-z\d]{1,8})$/i.exec(name) ?? []
  const [usual, ...others] = EXTENSIONS[type]
  const kept = [usual, ...others].includes(ending.toLowerCase()) ? ending : usual
  return toSafeFilename(`${base.replace(/[. ]+$/, '') || NAMELESS}.${kept}`)
}
