import type { Endpoint } from '../http/endpoint.ts'
import { contactTopicEndpoints } from './contact-topics.ts'
import { contactEndpoints } from './contacts.ts'
import { inboxEndpoints } from './inboxes.ts'
import { labelEndpoints } from './labels.ts'
import { receivedEmailEndpoints } from './received-emails.ts'
import { shareLinkEndpoints } from './share-links.ts'
import { threadEmailEndpoints } from './thread-emails.ts'
import { threadLabelEndpoints } from './thread-labels.ts'
import { threadEndpoints } from './threads.ts'

/** The whole interface. Where two paths fit a request the earlier one answers. */
export const allEndpoints: readonly Endpoint[] = [
  ...inboxEndpoints,
  ...threadEndpoints,
  ...threadEmailEndpoints,
  ...threadLabelEndpoints,
  ...labelEndpoints,
  ...receivedEmailEndpoints,
  ...shareLinkEndpoints,
  ...contactEndpoints,
  ...contactTopicEndpoints,
]
