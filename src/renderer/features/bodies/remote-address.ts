import { LONGEST_ADDRESS, writtenAddress } from '../../../shared/remote-address.ts'

/** Address of a remote picture, or null if it isn't a web address. */
export const remoteAddress = (text: string): string | null => {
  const written = writtenAddress(text)
  if (written === null || !URL.canParse(written)) return null
  const { href } = new URL(written)
  return href.length > LONGEST_ADDRESS ? null : href
}
