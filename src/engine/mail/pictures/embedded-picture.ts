import { validatePicture, type FetchedPicture } from './fetch-picture.ts'

/** Decodes `%xx`. A data URL is ASCII, so every other character is one byte. */
const decodePercentBytes = (text: string): Uint8Array =>
  Buffer.from(
    text.replaceAll(/%([\da-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
    'latin1',
  )

/** Decodes and checks a `data:` picture; null for other URLs. @throws ProblemError `refused` if not displayable */
export const decodeEmbeddedPicture = (address: string): FetchedPicture | null => {
  if (!/^data:/i.test(address)) return null
  const comma = address.indexOf(',')
  const isBase64 = /;\s*base64\s*$/i.test(address.slice(0, Math.max(0, comma)))
  const bytes = decodePercentBytes(address.slice(comma + 1))
  return validatePicture(isBase64 ? Buffer.from(Buffer.from(bytes).toString('latin1'), 'base64') : bytes)
}
