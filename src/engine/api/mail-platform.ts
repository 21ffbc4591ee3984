import { systemClock } from '../timing/clock.ts'
import { createAgentCalls } from './agents.ts'
import { createAttachmentCalls } from './attachments.ts'
import { createContactCalls } from './contacts.ts'
import { createDraftCalls } from './drafts.ts'
import type { HttpClient } from './http-client.ts'
import { createInboxCalls } from './inboxes.ts'
import { createLabelCalls } from './labels.ts'
import { createReceivedEmailCalls } from './received-emails.ts'
import { Requests } from './requests.ts'
import { createSentEmailCalls } from './sent-emails.ts'
import { createShareLinkCalls } from './share-links.ts'
import { createSuppressionCalls } from './suppressions.ts'
import { createTopicCalls } from './topics.ts'
import { createTemplateCalls } from './templates.ts'
import { createThreadEmailCalls } from './thread-emails.ts'
import { createThreadCalls } from './threads.ts'
import { createUsageCalls } from './usage.ts'

/**
 * All of Linnet's calls to the platform. Each throws what `HttpClient.request` throws, and `invalid_input` before
 * sending if an ID is unsafe in a path or a page exceeds the platform's limits (platform.md 5.2).
 * @param now wall time, milliseconds since the epoch
 */
export const createMailPlatform = (client: Pick<HttpClient, 'request'>, now: () => number = systemClock.now) => {
  const requests = new Requests(client)
  return {
    ...createInboxCalls(requests),
    ...createAgentCalls(requests),
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
  }
}

export type MailPlatform = Readonly<ReturnType<typeof createMailPlatform>>
