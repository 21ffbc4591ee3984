import { z } from 'zod'
import type { Label } from '../../shared/model.ts'
import { apiPath } from './api-path.ts'
import {
  wireId,
  createStoredPayloadParser,
  parseCreatedId,
  createPageParser,
  wireText,
  RAW_PAYLOAD,
} from './parse-response.ts'
import { PAGE_LIMIT, type CallOptions, type Requests } from './requests.ts'
import type { RawPayload } from './raw-payload.ts'

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

const parseLabelPage = createPageParser(wireLabel, toFetched)
export const parseStoredLabel = createStoredPayloadParser(wireLabel, toFetched)

export const createLabelCalls = (requests: Requests) => ({
  /** Platform facts 3.0, 18. Not paginated. */
  listLabels: async (inboxId: string, options: CallOptions) =>
    parseLabelPage(await requests.get(apiPath`/inboxes/${inboxId}/labels`, options), PAGE_LIMIT).items,

  /** Platform facts 3.0, 19. Returns the label's ID. */
  createLabel: async (
    inboxId: string,
    label: { readonly name: string; readonly color: string },
    options: CallOptions,
  ) => parseCreatedId(await requests.post(apiPath`/inboxes/${inboxId}/labels`, label, options)),

  /** Platform facts 3.0, 20. Needs at least one field. */
  updateLabel: async (
    inboxId: string,
    labelId: string,
    change: { readonly name?: string; readonly color?: string },
    options: CallOptions,
  ): Promise<void> => {
    await requests.patch(apiPath`/inboxes/${inboxId}/labels/${labelId}`, change, options)
  },

  /** Platform facts 3.0, 21. Also removes it from all threads. */
  deleteLabel: async (inboxId: string, labelId: string, options: CallOptions): Promise<void> => {
    await requests.delete(apiPath`/inboxes/${inboxId}/labels/${labelId}`, options)
  },
})
