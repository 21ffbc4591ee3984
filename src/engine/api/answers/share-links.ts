import { wireShareLink } from '../wire.ts'
import { readWith } from './read-answer.ts'

/** The address at which the e-mail can be viewed (contract, "Share link"). */
export const readShareLink = readWith(wireShareLink, ({ url }): { readonly url: string } => ({ url }))
