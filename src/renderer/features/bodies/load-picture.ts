import type { BodyOwner } from '../../../shared/contract.ts'
import type { Picture } from '../../../shared/attachments.ts'
import { ok, type Result } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import { decodeBase64 } from '../../kernel/decode-base64.ts'

/** Concurrent requests, as many as the engine fetches at a time. */
const MAX_CONCURRENT = 4

export interface LoadedPicture {
  /** Valid until revoked. */
  readonly address: string
  readonly bytes: number
}

const toLoadedPicture = ({ type, content }: Picture): LoadedPicture => {
  const bytes = decodeBase64(content)
  return { address: URL.createObjectURL(new Blob([bytes], { type })), bytes: bytes.byteLength }
}

/** @param isWanted checked before each request and after each response */
export const loadPictures = async (
  backend: Backend,
  {
    of,
    addresses,
    isRetry,
  }: { readonly of: BodyOwner; readonly addresses: readonly string[]; readonly isRetry: boolean },
  numbers: readonly number[],
  isWanted: () => boolean,
  onLoaded: (number: number, result: Result<LoadedPicture>) => void,
): Promise<void> => {
  const missing = [...numbers]
  const loadNext = async (): Promise<void> => {
    for (let number = missing.shift(); number !== undefined && isWanted(); number = missing.shift()) {
      const answer = await backend.call('picture.read', { of, url: addresses[number] ?? '', isRetry })
      if (isWanted()) onLoaded(number, answer.ok ? ok(toLoadedPicture(answer.data)) : answer)
    }
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, loadNext))
}
