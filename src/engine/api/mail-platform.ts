import { systemClock } from '../timing/clock.ts'
import { agentCalls } from './agents.ts'
import { attachmentCalls } from './attachments.ts'
import { contactCalls } from './contacts.ts'
import { draftCalls } from './drafts.ts'
import type { HttpClient } from './http-client.ts'
import { inboxCalls } from './inboxes.ts'
import { labelCalls } from './labels.ts'
import { receivedEmailCalls } from './received-emails.ts'
import { Requests } from './requests.ts'
import { sentEmailCalls } from './sent-emails.ts'
import { shareLinkCalls } from './share-links.ts'
import { suppressionCalls } from './suppressions.ts'
import { topicCalls } from './topics.ts'
import { templateCalls } from './templates.ts'
import { threadEmailCalls } from './thread-emails.ts'
import { threadCalls } from './threads.ts'
import { usageCalls } from './usage.ts'

/**
 * All of Linnet's calls to the platform. Each throws what `HttpClient.request` throws, and `invalid_input` before
 * sending if an ID is unsafe in a path or a page exceeds the contract's limits.
 * @param now wall time, milliseconds since the epoch
 */
export const createMailPlatform = (client: Pick<HttpClient, 'request'>, now: () => number = systemClock.now) => {
  const requests = new Requests(client)
  return {
    ...inboxCalls(requests),
    ...agentCalls(requests),
    ...labelCalls(requests),
    ...threadCalls(requests, now),
    ...threadEmailCalls(requests),
    ...receivedEmailCalls(requests),
    ...sentEmailCalls(requests),
    ...attachmentCalls(requests),
    ...shareLinkCalls(requests),
    ...contactCalls(requests, now),
    ...topicCalls(requests),
    ...suppressionCalls(requests),
    ...templateCalls(requests),
    ...draftCalls(requests),
    ...usageCalls(requests, now),
  }
}

export type MailPlatform = Readonly<ReturnType<typeof createMailPlatform>>
