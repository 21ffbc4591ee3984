import { systemClock } from '../timing/clock.ts'
import { createAttachmentCalls } from './resources/attachments.ts'
import { createContactCalls } from './resources/contacts.ts'
import { createDraftCalls } from './resources/drafts.ts'
import type { HttpClient } from './http-client.ts'
import { createInboxCalls } from './resources/inboxes.ts'
import { createLabelCalls } from './resources/labels.ts'
import { createReceivedEmailCalls } from './resources/received-emails.ts'
import { Requests } from './requests.ts'
import { createSentEmailCalls } from './resources/sent-emails.ts'
import { createShareLinkCalls } from './resources/share-links.ts'
import { createSuppressionCalls } from './resources/suppressions.ts'
import { createTopicCalls } from './resources/topics.ts'
import { createTemplateCalls } from './resources/templates.ts'
import { createThreadEmailCalls } from './resources/thread-emails.ts'
import { createThreadCalls } from './resources/threads.ts'
import { createUsageCalls } from './resources/usage.ts'
import { createWebhookCalls } from './resources/webhooks.ts'

/**
 * All of Linnet's calls to the platform. Each throws what `HttpClient.request` throws, and `invalid_input` before
 * sending if an ID is unsafe in a path or a page exceeds the platform's limits (platform.md 5.2).
 * @param now wall time, milliseconds since the epoch
 */
export const createMailPlatform = (client: Pick<HttpClient, 'request'>, now: () => number = systemClock.now) => {
  const requests = new Requests(client)
  return {
    ...createInboxCalls(requests),
    ...createLabelCalls(requests),
    ...createThreadCalls(requests, now),
    ...createThreadEmailCalls(requests),
    ...createReceivedEmailCalls(requests),
    ...createSentEmailCalls(requests),
    ...createAttachmentCalls(requests),
    ...createShareLinkCalls(requests),
    ...createContactCalls(requests, now),
    ...createTopicCalls(requests),
    ...createSuppressionCalls(requests),
    ...createTemplateCalls(requests),
    ...createDraftCalls(requests),
    ...createUsageCalls(requests, now),
    ...createWebhookCalls(requests),
  }
}

export type MailPlatform = Readonly<ReturnType<typeof createMailPlatform>>
