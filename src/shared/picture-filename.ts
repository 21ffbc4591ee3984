import { contentIdIn, nameWithin } from './carried-picture.ts'
import { decodePercent } from './decode-percent.ts'
import { safeFilename } from './safe-filename.ts'
import type { PictureLook } from './attachments.ts'

/** The endings of each kind, the usual one first. */
const ENDINGS: Readonly<Record<PictureLook, readonly [usual: string, ...others: string[]]>> = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'image/avif': ['avif'],
  'image/bmp': ['bmp'],
  'image/x-icon': ['ico'],
}

const NAMELESS = 'picture'

/** The last segment of a web address's path; empty for an address of another kind. */
const fileInPath = (address: string): string => {
  const [, path = ''] = /^https?:\/\/[^/?#]*([^?#]*)/i.exec(address) ?? []
  return decodePercent(path.split('/').at(-1) ?? '')
}

/**
 * The name that a message has for a picture: a Content-ID without the host behind its `@`, the file's own, or the end of a
 * web address. Empty for a picture within the HTML (`data:`).
 */
const nameIn = (address: string): string => {
  // No other address is as long, and nobody reads megabytes for a name.
  if (/^data:/i.test(address)) return ''
  const contentId = contentIdIn(address)
  if (contentId !== null) return contentId.replace(/@[^@]*$/, '')
  return nameWithin(address)?.split(/[\\/]/).at(-1) ?? fileInPath(address)
}

/**
 * A safe name for a picture of a message. The message suggests the name, the bytes decide the ending: what the sender
 * calls a program or a page is saved as the picture that it is.
 * @param address as the HTML has it
 * @param type by its bytes
 * @param filename of the attachment that it is; null where it is none, or has no name
 */
export const pictureFilename = (address: string, type: PictureLook, filename: string | null = null): string => {
  const name = safeFilename(filename ?? '') || safeFilename(nameIn(address))
  const [, base = name, ending = ''] = /^(.*)\.([a-z\d]{1,8})$/i.exec(name) ?? []
  const [usual, ...others] = ENDINGS[type]
  const kept = [usual, ...others].includes(ending.toLowerCase()) ? ending : usual
  return safeFilename(`${base.replace(/[. ]+$/, '') || NAMELESS}.${kept}`)
}
