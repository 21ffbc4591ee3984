import type { AccountContext } from './account-context.ts'
import type { BackgroundPart } from './account-background.ts'
import type { OwnPart } from './account-own.ts'
import type { PlatformPart } from './account-platform.ts'
import { Backups } from './files/backup/backups.ts'
import { Exports } from './files/export/exports.ts'
import { AttachmentContent } from './mail/attachments/attachment-content.ts'
import { Attachments } from './mail/attachments/attachments.ts'
import { parseInWorker } from './mail/attachments/parse-in-worker.ts'
import { InlinePictures } from './mail/pictures/inline-pictures.ts'
import { Pictures } from './mail/pictures/pictures.ts'
import { EmailSearches } from './mail/search/email-searches.ts'
import { SearchSessions } from './mail/search/sessions.ts'
import { Suppressions } from './mail/suppressions.ts'
import { Templates } from './mail/templates.ts'
import { UnsubscribeService } from './mail/unsubscribe-service.ts'
import { createDraftServices } from './mail/writing/draft-services.ts'
import type { AccountFiles } from './own/open-account-files.ts'
import { createLocalClock } from './timing/clock.ts'

/** Answers the window's commands about mail: searches, attachments, pictures, writing, exports. */
export const createMailPart = (
  { baseUrl, directory, network, report, partsWorker, filesWorker, readParts, isSafe, clock, signal }: AccountContext,
  { pending, own }: AccountFiles,
  { api, capabilities, downloads, notFound, usage }: PlatformPart,
  { cache, hub, outbox, presence, problems, senderChoices }: OwnPart,
  background: BackgroundPart,
) => {
  const { authentications, blobs, connection, deliveries, lists, rawMessages, threads } = background
  const isOnline = (): boolean => connection() === 'online'
  const parts = {
    ...{ platform: api, cache, hub, capabilities, notFound, presence, problems, downloads, blobs, network },
    ...{ own, outbox, pending, threads, lists, rawMessages, authentications, deliveries, usage },
    ...{ readParts, report, clock, signal, isSafe, isOnline },
  }
  const today = createLocalClock(clock.now)
  const searches = new SearchSessions(parts)
  const attachments = new Attachments(parts)
  const attachmentContent = new AttachmentContent({
    ...{ attachments, signal, report },
    read: (work, bytes) => parseInWorker(partsWorker, work, bytes, signal, clock),
  })
  const writing = createDraftServices(directory, { ...parts, attachments })
  return {
    ...{ searches, attachments, attachmentContent, writing },
    emailSearches: {
      received: new EmailSearches(cache.receivedEmails, today, signal),
      sent: new EmailSearches(cache.sentEmails, today, signal),
    },
    pictures: new Pictures({
      ...{ ...parts, choices: senderChoices },
      signedHtmlOf: (of) => attachmentContent.signedHtml(of),
      inlinePictures: new InlinePictures({ ...parts, attachments }),
    }),
    suppressions: new Suppressions(parts),
    templates: new Templates(parts),
    unsubscribing: new UnsubscribeService(parts),
    backups: new Backups({
      ...{ directory, baseUrl, own, problems, filesWorker, report, clock, signal },
      inboxes: () => cache.inboxes.all().map(({ inbox }) => ({ id: inbox.id, address: inbox.emailAddress })),
      changed: hub.backup,
    }),
    exports: new Exports({ ...parts, directory, searches, attachments, filesWorker, partsWorker }),
  }
}

export type MailPart = ReturnType<typeof createMailPart>
