import { z } from 'zod'
import { isoDate } from '../http/dates.ts'
import { type Endpoint, endpoint, ok } from '../http/endpoint.ts'
import type { LabelRow } from '../storage/threads.ts'
import { inboxOf } from './inbox-of-request.ts'
import { hexColor, isoTime, text, uuid } from './shapes.ts'

const labelShape = z.strictObject({ id: uuid, name: text, color: hexColor, created_at: isoTime })

export const labelEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/inboxes/:inbox/labels',
    summary: 'List the labels of an inbox',
    answers: { 200: z.strictObject({ object: z.literal('list'), data: z.array(labelShape) }) },
    handle(request) {
      const inbox = inboxOf(request)
      const labels = request.platform.db.all<LabelRow>(
        'SELECT * FROM labels WHERE inbox_seq = ? ORDER BY seq',
        inbox.seq,
      )
      return ok({
        object: 'list',
        data: labels.map(({ id, name, color, created_at }) => ({ id, name, color, created_at: isoDate(created_at) })),
      })
    },
  }),
]
