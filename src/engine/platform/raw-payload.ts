import { RAW_PAYLOAD, type RawPayload } from './parse-response.ts'

export type { RawPayload }

export const serializePayload = (said: RawPayload): string => JSON.stringify(said[RAW_PAYLOAD])
