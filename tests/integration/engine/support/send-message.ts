import { eventually } from './eventually.ts'
import type { TestEngine } from './test-engine.ts'
import type { TestPlatform } from './test-platform.ts'

const NO_CONTENT = {
  cc: [],
  bcc: [],
  format: 'plain',
  html: '',
  text: 'From Tuesday.',
  quote: null,
  files: [],
} as const

/** Sends a new message from the test inbox and waits until it is sent. */
export const sendMessage = async (
  engine: TestEngine,
  { inboxId }: TestPlatform,
  ...addresses: readonly string[]
): Promise<{ readonly emailId: string; readonly threadId: string }> => {
  const to = addresses.map((address) => ({ name: null, address }))
  const content = { ...NO_CONTENT, to, subject: `For ${addresses.join(' and ')}` }
  const draft = await engine.call('draft.create', { inboxId, kind: 'new', target: null, content })
  await engine.call('draft.send', { ...draft, holdSeconds: 0, archive: false, scheduledAt: null })
  const sent = await eventually(
    () => engine.events('draft.sent').find(({ draftId }) => draftId === draft.draftId),
    (event) => event !== undefined,
  )
  return { emailId: sent?.emailId ?? '', threadId: sent?.threadId ?? '' }
}
