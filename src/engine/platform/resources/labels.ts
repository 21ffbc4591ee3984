import { z } from 'zod'
import type { Label } from '../../../shared/model.ts'
import { apiPath } from '../api-path.ts'
import { wireId, createParser, parseCreatedId, wireText, RAW_PAYLOAD, type RawPayload } from '../parse-response.ts'
import { PAGE_LIMIT, type CallOptions, type Requests } from '../requests.ts'

export const wireLabel = z.looseObject({ id: wireId, name: wireText, color: wireText })
export type WireLabel = z.infer<typeof wireLabel>

export interface FetchedLabel extends Label, RawPayload<WireLabel> {}

export const toLabel = (wire: WireLabel): Label => ({
  id: wire.id,
  name: wire.name ?? wire.id,
  color: wire.color ?? '#6F6E77',
})

const toFetched = (wire: WireLabel): FetchedLabel => ({ ...toLabel(wire), [RAW_PAYLOAD]: wire })

export const createPlaceholderLabel = (labelId: string): Label => toLabel({ id: labelId })

export const toFetchedLabel = (label: Label): FetchedLabel =>
  toFetched({ id: label.id, name: label.name, color: label.color })

export const labelParser = createParser(wireLabel, toFetched)

export const createLabelCalls = (requests: Requests) => ({
  /** Not paginated (platform.md 15.2). */
  listLabels: async (inboxId: string, options: CallOptions) =>
    labelParser.page(await requests.get(apiPath`/inboxes/${inboxId}/labels`, options), PAGE_LIMIT).items,

  /** Returns the label's ID (platform.md 15.3). */
  createLabel: async (
    inboxId: string,
    label: { readonly name: string; readonly color: string },
    options: CallOptions,
  ) => parseCreatedId(await requests.post(apiPath`/inboxes/${inboxId}/labels`, label, options)),

  /** Needs at least one field (platform.md 15.4). */
  updateLabel: async (
    inboxId: string,
    labelId: string,
    change: { readonly name?: string; readonly color?: string },
    options: CallOptions,
  ) => requests.patch(apiPath`/inboxes/${inboxId}/labels/${labelId}`, change, options),

  /** Also removes it from all threads (platform.md 15.5). */
  deleteLabel: async (inboxId: string, labelId: string, options: CallOptions) =>
    requests.delete(apiPath`/inboxes/${inboxId}/labels/${labelId}`, options),
})
