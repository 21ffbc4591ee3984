import { z } from 'zod'
import { defineEndpoint, respondOk } from '../http/endpoint.ts'
import { assignThread } from '../storage/threads.ts'
import { isAddress } from '../mail/addresses.ts'
import { requireInbox, requireThread } from './inbox-resources.ts'
import { optionalText, uuid } from './shapes.ts'

const memberField = z.string().refine(isAddress, 'It must be an email address').nullable()

/** Assigns a thread. Not part of the API: on the platform, only the dashboard and the agent can (platform.md 23.8). */
export const assigneeEndpoint = defineEndpoint({
  method: 'PUT',
  path: '/inboxes/:inbox/threads/:thread/assignee',
  summary: 'Assign a thread; null unassigns it',
  body: z.object({ assignee_email: memberField, assigned_by_email: memberField.optional() }),
  answers: { 200: z.strictObject({ object: z.literal('inbox_thread'), id: uuid, assignee_email: optionalText }) },
  handle(request, { assignee_email: assignee, assigned_by_email: by = null }) {
    const thread = requireThread(request, requireInbox(request))
    return () => {
      assignThread(request.platform.db, thread.seq, assignee, by)
      return respondOk({ object: 'inbox_thread', id: thread.id, assignee_email: assignee })
    }
  },
})
