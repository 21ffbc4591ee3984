import { z } from 'zod'

/** Sort orders; contacts without a name are sorted by address. */
export const CONTACT_ORDERS = ['newest', 'name', 'address'] as const
export type ContactOrder = (typeof CONTACT_ORDERS)[number]

export const SUBSCRIPTION_FILTERS = ['all', 'subscribed', 'unsubscribed'] as const
export type SubscriptionFilter = (typeof SUBSCRIPTION_FILTERS)[number]

/** Filter and sort order of contacts. Applied locally because the platform can't do it (platform.md 18.3). */
export interface ContactQuery {
  /** Each word must occur in the name, the address or a property. */
  readonly typed: string
  readonly subscription: SubscriptionFilter
  readonly order: ContactOrder
  /** Segment ID; omitted for all contacts. */
  readonly segmentId?: string | undefined
}

export const ALL_CONTACTS: ContactQuery = { typed: '', subscription: 'all', order: 'newest' }

export const contactQuerySchema: z.ZodType<ContactQuery, ContactQuery> = z
  .object({
    typed: z.string().max(256),
    subscription: z.enum(SUBSCRIPTION_FILTERS),
    order: z.enum(CONTACT_ORDERS),
    segmentId: z.string().min(1).max(512).optional(),
  })
  .strict()
