import type { Platform } from './platform.ts'

export interface SentEmail {
  readonly id: string
  readonly subject: string
  readonly to: readonly string[]
  readonly html: string | null
  readonly text: string | null
  readonly scheduled_at: string | null
  readonly last_event: string
}

/** The newest hundred sent e-mails, newest first. Fetches each one, as the list has no bodies. */
export const sentOf = async ({ ask }: Platform): Promise<readonly SentEmail[]> => {
  const { data } = (await ask('/emails?limit=100')) as { readonly data: readonly { readonly id: string }[] }
  return Promise.all(data.map(async ({ id }) => (await ask(`/emails/${id}`)) as SentEmail))
}
