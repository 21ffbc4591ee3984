import type { Cache } from '../../store/cache.ts'
import type { LocalDraft } from '../../own/drafts/local-draft.ts'
import type { OutgoingMessage } from './send-methods.ts'

export const toOutgoingMessage = (
  cache: Pick<Cache, 'inboxes' | 'emails'>,
  draft: LocalDraft,
  scheduledAt: number | null,
): OutgoingMessage => {
  const { inboxId, kind, target, content, standsAlone } = draft
  const stored = cache.inboxes.get(inboxId)
  const ref = stored === undefined ? null : { key: stored.key, id: inboxId }
  const original = ref === null || target === null ? undefined : cache.emails.get(ref, target.threadId, target.emailId)
  const bodyOf = (body: 'html' | 'text') => (original === undefined ? null : cache.emails.bodyOf(original, body))
  const references =
    ref === null || target === null || original === undefined
      ? []
      : cache.emails
          .ofThread(ref, target.threadId, true)
          .filter(({ receivedAt }) => receivedAt <= original.receivedAt)
          .flatMap(({ messageId }) => messageId ?? [])
  return {
    ...{ inboxId, kind, target, content, scheduledAt, standsAlone, references },
    hasPlatformDraft: draft.platform !== null,
    from: { name: stored?.fromName ?? null, address: stored?.inbox.emailAddress ?? '' },
    original: original === undefined ? null : { ...original, html: bodyOf('html'), text: bodyOf('text') },
  }
}
