import type { Folder } from '../storage/threads.ts'

/** A message as it lies on the disk, with what the file says of it. */
export interface StoredMessage {
  readonly raw: Buffer
  /** The file says that it was read. */
  readonly isSeen: boolean
  /** Null where the file does not say in which it lay. */
  readonly folder: Folder | null
  readonly labels: readonly string[]
  /** Null where its sender tells. */
  readonly direction: 'inbound' | 'outbound' | null
  /** Milliseconds since 1970; null where its Date header tells. */
  readonly at: number | null
  /** Put together of parts: it has not the bytes that it was sent with. */
  readonly isRebuilt: boolean
}

/** A message of which its file says nothing. */
export const plainMessage = (raw: Buffer): StoredMessage => ({
  raw,
  isSeen: false,
  folder: null,
  labels: [],
  direction: null,
  at: null,
  isRebuilt: false,
})
