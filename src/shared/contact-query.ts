import { z } from 'zod'

/** The orders in which contacts are listed; those without a name stand under their address. */
export const CONTACT_ORDERS = ['newest', 'name', 'address'] as const
export type ContactOrder = (typeof CONTACT_ORDERS)[number]

export const CONTACT_SUBSCRIPTIONS = ['all', 'subscribed', 'unsubscribed'] as const
export type ContactSubscription = (typeof CONTACT_SUBSCRIPTIONS)[number]

/** Which contacts are listed, and in which order. The platform cannot say so (platform facts 5): this computer does. */
export interface ContactQuery {
  /** Each part of it stands in the name, the address or a property. */
  readonly typed: string
  readonly subscription: ContactSubscription
  readonly order: ContactOrder
  /** The ID of a segment that they are in; left out for contacts in any or none. */
  readonly segmentId?: string | undefined
}

/** Everybody, as the platform lists them. */
export const ALL_CONTACTS: ContactQuery = { typed: '', subscription: 'all', order: 'newest' }

/** A query as it crosses the contract. */
export const contactQuerySchema: z.ZodType<ContactQuery, ContactQuery> = z
  .object({
    typed: z.string().max(256),
    subscription: z.enum(CONTACT_SUBSCRIPTIONS),
    order: z.enum(CONTACT_ORDERS),
    segmentId: z.string().min(1).max(512).optional(),
  })
  .strict()
