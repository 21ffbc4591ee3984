import type { Folder } from '../storage/threads.ts'

export interface StoredMessage {
  readonly raw: Buffer
  readonly isSeen: boolean
  readonly folder: Folder | null
  readonly labels: readonly string[]
  /** Null to derive it from the sender. */
  readonly direction: 'inbound' | 'outbound' | null
  /** Milliseconds since 1970; null to use the Date header. */
  readonly at: number | null
  /** True if composed from an export, so the bytes aren't the original ones. */
  readonly isRebuilt: boolean
}

export const createStoredMessage = (raw: Buffer): StoredMessage => ({
  raw,
  isSeen: false,
  folder: null,
  labels: [],
  direction: null,
  at: null,
  isRebuilt: false,
})
