import type { Endpoint } from '../http/endpoint.ts'
import { replyEndpoints } from './replies-and-forwards.ts'
import { apiKeyEndpoints } from './api-keys.ts'
import { contactImportEndpoints } from './contact-imports.ts'
import { contactPropertyEndpoints } from './contact-properties.ts'
import { contactSegmentEndpoints } from './contact-segments.ts'
import { contactTopicEndpoints } from './contact-topics.ts'
import { contactEndpoints } from './contacts.ts'
import { domainEndpoints } from './domains.ts'
import { draftEndpoints } from './drafts.ts'
import { emailAttachmentEndpoints } from './email-attachments.ts'
import { emailMetricsEndpoints } from './email-metrics.ts'
import { inboxEndpoints } from './inboxes.ts'
import { labelEndpoints } from './labels.ts'
import { oauthGrantEndpoints } from './oauth-grants.ts'
import { receivedEmailEndpoints } from './received-emails.ts'
import { segmentEndpoints } from './segments.ts'
import { sentEmailEndpoints } from './sent-emails.ts'
import { shareLinkEndpoints } from './share-links.ts'
import { suppressionEndpoints } from './suppressions.ts'
import { templateEndpoints } from './templates.ts'
import { threadEmailEndpoints } from './thread-emails.ts'
import { threadLabelEndpoints } from './thread-labels.ts'
import { threadEndpoints } from './threads.ts'
import { topicEndpoints } from './topics.ts'
import { usageEndpoints } from './usage.ts'
import { webhookEventEndpoints } from './webhook-events.ts'
import { webhookEndpoints } from './webhooks.ts'

const currentEndpoints: readonly Endpoint[] = [
  ...inboxEndpoints,
  ...threadEndpoints,
  ...threadEmailEndpoints,
  ...replyEndpoints,
  ...threadLabelEndpoints,
  ...labelEndpoints,
  ...draftEndpoints,
  ...receivedEmailEndpoints,
  ...emailMetricsEndpoints,
  ...emailAttachmentEndpoints,
  ...shareLinkEndpoints,
  ...sentEmailEndpoints,
  ...contactImportEndpoints,
  ...contactEndpoints,
  ...contactTopicEndpoints,
  ...contactSegmentEndpoints,
  ...contactPropertyEndpoints,
  ...segmentEndpoints,
  ...topicEndpoints,
  ...suppressionEndpoints,
  ...templateEndpoints,
  ...webhookEndpoints,
  ...webhookEventEndpoints,
  ...domainEndpoints,
  ...usageEndpoints,
  ...apiKeyEndpoints,
  ...oauthGrantEndpoints,
]

/** The complete API. If two paths match a request, the earlier one handles it. */
/** Deprecated paths of segments (platform.md 18.8), which can also reach a single contact. */
function audienceAliases(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  return endpoints.flatMap((endpoint) => {
    const path = aliasOf(endpoint)
    return path === null
      ? []
      : [{ ...endpoint, path, inContract: false, summary: `${endpoint.summary} (deprecated path)` }]
  })
}

function aliasOf({ method, path }: Endpoint): string | null {
  if (path.startsWith('/segments')) return path.replace('/segments', '/audiences')
  return path === '/contacts/:contact' && method !== 'POST' ? '/audiences/:segment/contacts/:contact' : null
}

export const allEndpoints: readonly Endpoint[] = [...currentEndpoints, ...audienceAliases(currentEndpoints)]
