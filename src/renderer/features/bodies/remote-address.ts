import { LONGEST_ADDRESS, writtenAddress } from '../../../shared/remote-address.ts'

/** The address of a picture that is elsewhere; null for anything that is no page of the web. */
export const remoteAddress = (text: string): string | null => {
  const written = writtenAddress(text)
  if (written === null || !URL.canParse(written)) return null
  const { href } = new URL(written)
  return href.length > LONGEST_ADDRESS ? null : href
}
