import { MAX_REMOTE_ADDRESS_LENGTH, toRemoteAddress } from '../../../shared/remote-address.ts'

/** Address of a remote picture, or null if it isn't a web address. */
export const toRemotePictureUrl = (text: string): string | null => {
  const written = toRemoteAddress(text)
  if (written === null || !URL.canParse(written)) return null
  const { href } = new URL(written)
  return href.length > MAX_REMOTE_ADDRESS_LENGTH ? null : href
}
