import type { Platform } from './platform.ts'

/** An e-mail that the platform was given to send, as it tells of it. */
export interface SentEmail {
  readonly id: string
  readonly subject: string
  readonly to: readonly string[]
  readonly html: string | null
  readonly text: string | null
  readonly scheduled_at: string | null
  readonly last_event: string
}

/** The newest hundred that the platform was given to send, newest first, with their texts: its list has none. */
export const sentOf = async ({ ask }: Platform): Promise<readonly SentEmail[]> => {
  const { data } = (await ask('/emails?limit=100')) as { readonly data: readonly { readonly id: string }[] }
  return Promise.all(data.map(async ({ id }) => (await ask(`/emails/${id}`)) as SentEmail))
}
