import { z } from 'zod'
import { createValidationError } from '../http/api-error.ts'
import { formatIsoTimestamp } from '../http/dates.ts'
import { type Endpoint, defineEndpoint, respondOk } from '../http/endpoint.ts'
import type { Database } from '../storage/database.ts'
import type { InboxRow } from '../storage/inboxes.ts'
import { addLabel, pickLabelColor, LABEL_LIMITS } from '../storage/labels.ts'
import type { LabelRow } from '../storage/threads.ts'
import { requireInbox, requireLabelById } from './inbox-resources.ts'
import { createDeletionSchema, hexColor, isoTime, createReferenceSchema, text, uuid } from './shapes.ts'

const labelShape = z.strictObject({ id: uuid, name: text, color: hexColor, created_at: isoTime })

const nameField = z.string().trim().min(1, 'It must not be empty').max(LABEL_LIMITS.characters)
const colorField = z
  .string()
  .regex(/^#[\da-f]{6}$/i, 'It must be a hex color such as `#E93D82`')
  .transform((color) => color.toUpperCase())

export const labelEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    path: '/inboxes/:inbox/labels',
    summary: 'List the labels of an inbox',
    answers: { 200: z.strictObject({ object: z.literal('list'), data: z.array(labelShape) }) },
    handle(request) {
      const labels = labelsOf(request.platform.db, requireInbox(request))
      return respondOk({
        object: 'list',
        data: labels.map(({ id, name, color, created_at }) => ({
          id,
          name,
          color,
          created_at: formatIsoTimestamp(created_at),
        })),
      })
    },
  }),

  defineEndpoint({
    method: 'POST',
    path: '/inboxes/:inbox/labels',
    summary: 'Create a label',
    body: z.object({ name: nameField, color: colorField.optional() }),
    answers: { 200: createReferenceSchema('inbox_label') },
    handle(request, { name, color }) {
      const { db, now } = request.platform
      const inbox = requireInbox(request)
      return () => {
        const labels = labelsOf(db, inbox)
        if (labels.length >= LABEL_LIMITS.labels)
          throw createValidationError(`An inbox can have at most ${LABEL_LIMITS.labels} labels.`)
        checkNameIsFree(labels, name)
        const id = addLabel(db, inbox, { name, color: color ?? pickLabelColor(labels.length) }, now())
        return respondOk({ object: 'inbox_label', id })
      }
    },
  }),

  defineEndpoint({
    method: 'PATCH',
    path: '/inboxes/:inbox/labels/:label',
    summary: 'Rename or recolour a label',
    body: z.object({ name: nameField.optional(), color: colorField.optional() }),
    answers: { 200: createReferenceSchema('inbox_label') },
    handle(request, { name, color }) {
      const { db } = request.platform
      const inbox = requireInbox(request)
      const label = requireLabelById(request, inbox, request.param('label'))
      if (name === undefined && color === undefined)
        throw createValidationError('At least one of `name` and `color` must be provided.')
      return () => {
        const others = labelsOf(db, inbox).filter(({ id }) => id !== label.id)
        if (name !== undefined) checkNameIsFree(others, name)
        db.run(
          'UPDATE labels SET name = ?, color = ? WHERE seq = ?',
          name ?? label.name,
          color ?? label.color,
          label.seq,
        )
        return respondOk({ object: 'inbox_label', id: label.id })
      }
    },
  }),

  defineEndpoint({
    method: 'DELETE',
    path: '/inboxes/:inbox/labels/:label',
    summary: 'Delete a label everywhere',
    answers: { 200: createDeletionSchema('inbox_label') },
    handle(request) {
      const label = requireLabelById(request, requireInbox(request), request.param('label'))
      return () => {
        request.platform.db.run('DELETE FROM labels WHERE seq = ?', label.seq)
        return respondOk({ object: 'inbox_label', id: label.id, deleted: true })
      }
    },
  }),
]

function labelsOf(db: Database, inbox: InboxRow): readonly LabelRow[] {
  return db.all<LabelRow>('SELECT * FROM labels WHERE inbox_seq = ? ORDER BY seq', inbox.seq)
}

/** Names are unique (platform.md 15.1). The error message is this service's own. */
function checkNameIsFree(labels: readonly LabelRow[], name: string): void {
  if (labels.some((label) => label.name === name))
    throw createValidationError(`A label named "${name}" already exists in this inbox.`)
}
