import { asPicture, type FetchedPicture } from './fetch-picture.ts'

/** Decodes `%xx`. A data URL is ASCII, so every other character is one byte. */
const bytesOfPercent = (text: string): Uint8Array =>
  Buffer.from(
    text.replaceAll(/%([\da-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
    'latin1',
  )

/** Decodes and checks a `data:` picture; null for other URLs. @throws ProblemError `refused` if not displayable */
export const embeddedPicture = (address: string): FetchedPicture | null => {
  if (!/^data:/i.test(address)) return null
  const comma = address.indexOf(',')
  const isBase64 = /;\s*base64\s*$/i.test(address.slice(0, Math.max(0, comma)))
  const bytes = bytesOfPercent(address.slice(comma + 1))
  return asPicture(isBase64 ? Buffer.from(Buffer.from(bytes).toString('latin1'), 'base64') : bytes)
}
