import type { Label } from '../../../shared/model.ts'
import { wireLabel, wireReference, WORDS, type WireLabel } from '../wire.ts'
import { readKeptWith, readPageOf, readWith } from './read-answer.ts'
import type { Said } from './words.ts'

/** A label of an inbox. */
export interface FetchedLabel extends Label, Said<WireLabel> {}

export const toLabel = ({ id, name, color }: WireLabel): Label => ({ id, name: name ?? id, color: color ?? '#6F6E77' })

const toFetched = (wire: WireLabel): FetchedLabel => ({ ...toLabel(wire), [WORDS]: wire })

/** A label of which nothing but the ID is known. */
export const bareLabel = (id: string): Label => toLabel({ id })

/** A label as the platform would say it that has confirmed it. */
export const confirmedLabel = ({ id, name, color }: Label): FetchedLabel => toFetched({ id, name, color })

/** The ID of a label that was made. */
export const readMadeLabel = readWith(wireReference, ({ id }) => id)
export const readLabels = readPageOf(wireLabel, toFetched)
export const readKeptLabel = readKeptWith(wireLabel, toFetched)
