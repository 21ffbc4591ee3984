import { z } from 'zod'
import { invalid } from '../http/api-error.ts'
import { isoDate } from '../http/dates.ts'
import { type Endpoint, endpoint, ok } from '../http/endpoint.ts'
import type { Database } from '../storage/database.ts'
import type { InboxRow } from '../storage/inboxes.ts'
import { addLabel, labelColor, LABEL_LIMITS } from '../storage/labels.ts'
import type { LabelRow } from '../storage/threads.ts'
import { inboxOf, labelById } from './inbox-of-request.ts'
import { deletion, hexColor, isoTime, reference, text, uuid } from './shapes.ts'

const labelShape = z.strictObject({ id: uuid, name: text, color: hexColor, created_at: isoTime })

const nameField = z.string().trim().min(1, 'It must not be empty').max(LABEL_LIMITS.characters)
const colorField = z
  .string()
  .regex(/^#[\da-f]{6}$/i, 'It must be a hex color such as `#E93D82`')
  .transform((color) => color.toUpperCase())

export const labelEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/inboxes/:inbox/labels',
    summary: 'List the labels of an inbox',
    answers: { 200: z.strictObject({ object: z.literal('list'), data: z.array(labelShape) }) },
    handle(request) {
      const labels = labelsOf(request.platform.db, inboxOf(request))
      return ok({
        object: 'list',
        data: labels.map(({ id, name, color, created_at }) => ({ id, name, color, created_at: isoDate(created_at) })),
      })
    },
  }),

  endpoint({
    method: 'POST',
    path: '/inboxes/:inbox/labels',
    summary: 'Create a label',
    body: z.object({ name: nameField, color: colorField.optional() }),
    answers: { 200: reference('inbox_label') },
    handle(request, { name, color }) {
      const { db, now } = request.platform
      const inbox = inboxOf(request)
      return () => {
        const labels = labelsOf(db, inbox)
        if (labels.length >= LABEL_LIMITS.labels)
          throw invalid(`An inbox can have at most ${LABEL_LIMITS.labels} labels.`)
        checkNameIsFree(labels, name)
        const id = addLabel(db, inbox, { name, color: color ?? labelColor(labels.length) }, now())
        return ok({ object: 'inbox_label', id })
      }
    },
  }),

  endpoint({
    method: 'PATCH',
    path: '/inboxes/:inbox/labels/:label',
    summary: 'Rename or recolour a label',
    body: z.object({ name: nameField.optional(), color: colorField.optional() }),
    answers: { 200: reference('inbox_label') },
    handle(request, { name, color }) {
      const { db } = request.platform
      const inbox = inboxOf(request)
      const label = labelById(request, inbox, request.param('label'))
      if (name === undefined && color === undefined)
        throw invalid('At least one of `name` and `color` must be provided.')
      return () => {
        const others = labelsOf(db, inbox).filter(({ id }) => id !== label.id)
        if (name !== undefined) checkNameIsFree(others, name)
        db.run(
          'UPDATE labels SET name = ?, color = ? WHERE seq = ?',
          name ?? label.name,
          color ?? label.color,
          label.seq,
        )
        return ok({ object: 'inbox_label', id: label.id })
      }
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/inboxes/:inbox/labels/:label',
    summary: 'Delete a label everywhere',
    answers: { 200: deletion('inbox_label') },
    handle(request) {
      const label = labelById(request, inboxOf(request), request.param('label'))
      return () => {
        request.platform.db.run('DELETE FROM labels WHERE seq = ?', label.seq)
        return ok({ object: 'inbox_label', id: label.id, deleted: true })
      }
    },
  }),
]

function labelsOf(db: Database, inbox: InboxRow): readonly LabelRow[] {
  return db.all<LabelRow>('SELECT * FROM labels WHERE inbox_seq = ? ORDER BY seq', inbox.seq)
}

/** Platform facts 3.8: "name unique within the inbox"; the error message is this service's own. */
function checkNameIsFree(labels: readonly LabelRow[], name: string): void {
  if (labels.some((label) => label.name === name))
    throw invalid(`A label named "${name}" already exists in this inbox.`)
}
