import type { ShareLink } from '../../../shared/model.ts'
import { wireShareLink } from '../wire.ts'
import { readWith } from './read-answer.ts'

export const readShareLink = readWith(wireShareLink, ({ id, url }): ShareLink => ({ id, url }))
