import { parseCidUrl, parseEmbeddedFilename } from './embedded-picture.ts'
import { decodePercent } from './decode-percent.ts'
import { toSafeFilename } from './safe-filename.ts'
import type { DisplayablePictureType } from './attachments.ts'

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
