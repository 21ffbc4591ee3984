// @vitest-environment jsdom
import { flushSync, type Component } from 'svelte'
import { expect, it } from 'vitest'
import AgentDialog from '../../../src/renderer/features/agents/AgentDialog.svelte'
import type { InboxAgent } from '../../../src/shared/agent.ts'
import { renderScreen } from './support/draw-screen.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { INBOX } from './support/fixture-mail.ts'
import { inbox, openWindow } from './support/open-window.ts'
import { until } from './support/until.ts'

const ending = endAfterEach()

const agentOf = (instructions: string | null, tone: string | null = null): InboxAgent => ({
  settings: { instructions, tone, actions: [] },
  freshness: { state: 'live', at: 0 },
  isOffered: true,
})

it('keeps the user’s text when the platform answers later, and updates untouched fields', async () => {
  const answers: ((agent: InboxAgent) => void)[] = []
  const opened = await openWindow(inbox(null), ending.signal, {
    'agent.get': ({ cacheOnly = false }) =>
      cacheOnly ? agentOf('Be kind.') : new Promise<InboxAgent>((resolve) => answers.push(resolve)),
  })
  const { agents } = opened.session
  await agents.read([INBOX.id])
  const View: Component = (anchor) => AgentDialog(anchor, {})
  await renderScreen(opened, View, ending.signal)
  const open = async (): Promise<void> => {
    void agents.open({ inboxId: INBOX.id, address: INBOX.emailAddress })
    await until(() => document.querySelector('textarea') !== null)
  }
  const field = (): HTMLTextAreaElement => {
    flushSync()
    const found = document.querySelector('textarea')
    if (found === null) throw new Error('The dialog is open.')
    return found
  }
  const tone = (): string => document.querySelector('select')?.value ?? ''
  await open()
  expect(field().value).toBe('Be kind.')
  field().value = 'Later.'
  field().dispatchEvent(new Event('input', { bubbles: true }))
  answers.shift()?.(agentOf('Be brief.', 'concise_casual'))
  await until(() => agents.of(INBOX.id)?.settings?.tone === 'concise_casual')
  expect([field().value, tone()]).toEqual(['Later.', 'concise_casual'])

  // Closing the dialog drops unsaved text.
  agents.close()
  await until(() => document.querySelector('textarea') === null)
  await open()
  expect(field().value).toBe('Be brief.')
  answers.shift()?.(agentOf('Be here.'))
  await until(() => field().value === 'Be here.')
})
