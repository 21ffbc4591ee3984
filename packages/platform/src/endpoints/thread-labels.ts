import { z } from 'zod'
import { createNotFoundError } from '../http/api-error.ts'
import { type ApiResponse, type ApiRequest, type Endpoint, defineEndpoint, respondOk } from '../http/endpoint.ts'
import { addThreadLabel } from '../storage/threads.ts'
import { requireInbox, requireLabelById, requireThread } from './inbox-resources.ts'
import { listThreadLabels, threadLabelShape } from './threads.ts'

/** A list without `has_more` (platform.md 8.9). */
const labelsShape = z.strictObject({ object: z.literal('list'), data: z.array(threadLabelShape) })

export const threadLabelEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    method: 'POST',
    path: '/inboxes/:inbox/threads/:thread/labels',
    summary: 'Add labels to a thread',
    body: z.object({ labels: z.array(z.uuid()).min(1).max(10) }),
    answers: { 200: labelsShape },
    handle: (request, { labels }) => putLabels(request, labels, 'add'),
  }),

  defineEndpoint({
    method: 'PUT',
    path: '/inboxes/:inbox/threads/:thread/labels',
    summary: 'Set the labels of a thread; an empty list clears them',
    body: z.object({ labels: z.array(z.uuid()) }),
    answers: { 200: labelsShape },
    handle: (request, { labels }) => putLabels(request, labels, 'replace'),
  }),

  defineEndpoint({
    method: 'DELETE',
    path: '/inboxes/:inbox/threads/:thread/labels/:label',
    summary: 'Remove one label from one thread',
    inContract: true,
    answers: { 200: labelsShape },
    handle(request) {
      const { db, settings } = request.platform
      const inbox = requireInbox(request)
      const thread = requireThread(request, inbox)
      const label = requireLabelById(request, inbox, request.param('label'))
      return () => {
        const removed = db.run(
          'DELETE FROM thread_labels WHERE thread_seq = ? AND label_seq = ?',
          thread.seq,
          label.seq,
        )
        // The response for a label that isn't on the thread is unknown, hence a setting.
        if (removed === 0 && settings.missingLabel === 'not_found')
          throw createNotFoundError(`Label "${label.id}" not found.`)
        return showThreadLabels(request, thread.seq)
      }
    },
  }),
]

function putLabels(request: ApiRequest, ids: readonly string[], how: 'add' | 'replace'): () => ApiResponse {
  const { db } = request.platform
  const inbox = requireInbox(request)
  const thread = requireThread(request, inbox)
  const labels = ids.map((id) => requireLabelById(request, inbox, id))
  return () => {
    if (how === 'replace') db.run('DELETE FROM thread_labels WHERE thread_seq = ?', thread.seq)
    for (const label of labels) addThreadLabel(db, thread.seq, label.seq)
    return showThreadLabels(request, thread.seq)
  }
}

function showThreadLabels(request: ApiRequest, threadSeq: number): ApiResponse {
  return respondOk({ object: 'list', data: listThreadLabels(request.platform.db, threadSeq) })
}
