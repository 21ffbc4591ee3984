// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest'
import { DEFAULT_PREFERENCES } from '../../../src/shared/preferences.ts'
import { renderScreen } from './support/draw-screen.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { INBOX } from './support/fixture-mail.ts'
import type { FixtureHandlers } from './support/fixture-transport.ts'
import { inbox, openWindow } from './support/open-window.ts'
import { PLATFORM_ACCOUNT } from './support/platform-account.ts'
import TestPalette from './support/TestPalette.svelte'
import { until } from './support/until.ts'

/** Shortcut at the end of a row's name. */
const KEYS = /, (?:(?:Ctrl|Shift|[a-z]) )*(?:\W|\w|F\d|Enter|Tab|Space)$/

const ending = endAfterEach()
afterEach(() => document.body.replaceChildren())

const HANDLERS: FixtureHandlers = {
  ...PLATFORM_ACCOUNT,
  // An open thread stays unread however long the test takes.
  'preferences.get': () => ({ preferences: { ...DEFAULT_PREFERENCES, markRead: 'never' }, problem: null }),
  'unsubscribe.of': () => ({
    ways: [{ kind: 'page', url: 'https://quill.example/u' }],
    ...{ sender: 'verified', recipient: null, last: null },
  }),
}

/** Opens the palette over an open thread of a mailing list, with something to undo. */
const openPalette = async (threadId: string) => {
  const opened = await openWindow(inbox(threadId), ending.signal, HANDLERS)
  await opened.shell.account.load()
  for (const id of ['thread.star', 'thread.unstar']) opened.run(id)
  const { unsubscribe, conversation } = opened.session
  for (const { id: emailId } of conversation.conversation?.emails ?? []) {
    const of = { list: 'threads', inboxId: INBOX.id, threadId, emailId } as const
    unsubscribe.show(of)
    await until(() => unsubscribe.offerOf(of) !== null)
  }
  const { settle } = await renderScreen(opened, TestPalette, ending.signal)
  const field = (): HTMLInputElement | null => document.querySelector('[role="dialog"] input')
  await until(() => field() !== null)
  /** Types a phrase. @returns names of the rows, without keys */
  const list = async (phrase: string): Promise<readonly string[]> => {
    const input = field()
    if (input !== null) input.value = phrase
    input?.dispatchEvent(new Event('input', { bubbles: true }))
    await settle()
    const rows = document.querySelectorAll<HTMLElement>('[role="dialog"] [role="option"]')
    return [...rows].map(({ ariaLabel }) => (ariaLabel ?? '').replace(KEYS, ''))
  }
  return { opened, list }
}

/** Phrases that people type over an open thread that is read, and the row that must come first. */
const PHRASES: readonly (readonly [phrase: string, row: string])[] = [
  ['delete', 'Move to trash'],
  ['export mail', 'Export…'],
  ['settings notif', 'Notifications, Settings'],
  ['log out', 'Accounts, Settings'],
  ['dark', 'Theme: dark'],
  ['undo', 'Undo'],
  ['snooze tomorrow', 'Snooze…'],
  ['signature', 'Signatures, Settings'],
  ['add account', 'Add account…'],
  ['keyboard', 'Keyboard shortcuts'],
  ['shortcuts', 'Keyboard shortcuts'],
  ['canned', 'Canned replies, Settings'],
  ['template', 'New canned reply'],
  ['star', 'Star'],
  ['unread', 'Mark as unread'],
  ['print', 'Print'],
  ['raw', 'Show source'],
  ['source', 'Show source'],
  ['block', 'Block sender'],
  ['unsubscribe', 'Unsubscribe'],
  ['rules', 'Rules, Settings'],
  ['backup', 'Backup, Settings'],
  ['proxy', 'Proxy, Settings › Network'],
  ['webhook', 'New mail, Settings'],
  ['new mail', 'New message'],
  ['density', 'Density, Settings › Appearance'],
  ['language', 'Spelling, Settings'],
  ['arc', 'Archive'],
  ['reply all', 'Reply all'],
  ['fwd', 'Forward'],
  ['go to sent', 'Go to sent'],
  ['assign to me', 'Assign to me'],
  ['label', 'Label…'],
  ['spam', 'Mark as spam'],
  ['api key', 'Accounts, Settings'],
  ['font size', 'Text size, Settings › Appearance'],
  ['sync now', 'Check for new mail'],
  ['mcp', 'Assistant apps, Settings'],
  ['import contacts', 'Import contacts…'],
  ['check for updates', 'Check for updates'],
  ['remind me', 'Remind me if no one replies…'],
  ['spell check', 'Check spelling, Settings › Spelling'],
  ['please snooze this until next week', 'Snooze…'],
  ['do not disturb', 'Quiet hours, Settings › Notifications'],
  ['night mode', 'Appearance, Settings'],
  ['remove account', 'Accounts, Settings'],
  ['logout', 'Accounts, Settings'],
  ['save as pdf', 'Save as PDF'],
  ['load images', 'Show pictures'],
  ['follow up', 'Remind me if no one replies…'],
  ['hotkeys', 'Keyboard shortcuts'],
  ['clear cache', 'Clear downloaded mail, Settings › Mail on this computer'],
  ['disk space', 'Space for attachments, Settings › Stored mail'],
  ['quota', 'Usage, Settings'],
  ['contacts', 'Go to contacts'],
  ['bug report', 'Copy diagnostics, Settings › Help'],
  ['refresh', 'Check for new mail'],
  ['settings', 'Go to settings'],
]

/** Moves, deletes, blocks or unsubscribes. */
const DESTRUCTIVE = /^(?:Move to trash|Mark as spam|Block sender|Unsubscribe|Delete|Discard)/

describe('command palette', () => {
  it('leads to the right first row', async () => {
    const { list } = await openPalette('thread-1')
    for (const [phrase, row] of PHRASES) {
      const [first] = await list(phrase)
      expect([phrase, first]).toEqual([phrase, row])
    }
  })

  it('shows an action before a destructive one of the same start', async () => {
    const { list } = await openPalette('thread-0')
    expect((await list('mar'))[0]).toBe('Mark as read')
  })

  it('lists no destructive action first for a few letters', async () => {
    const { opened, list } = await openPalette('thread-1')
    const commandUse = { 'thread.trash': 20, 'thread.spam': 20, 'rules.block': 20, 'email.unsubscribe': 20 }
    await opened.shell.preferences.choose({ commandUse })
    for (const word of ['delete', 'spam', 'trash', 'block', 'remove', 'junk', 'bin', 'unsubscribe', 'mtt', 'mailing']) {
      for (const letters of [1, 2, 3]) {
        const [first] = await list(word.slice(0, letters))
        expect([word.slice(0, letters), first]).toEqual([
          word.slice(0, letters),
          expect.not.stringMatching(DESTRUCTIVE),
        ])
      }
    }
    expect((await list('trash'))[0]).toBe('Move to trash')
  })

  it('lists no destructive action first for part of a phrase', async () => {
    const { list } = await openPalette('thread-1')
    for (const phrase of ['empty trash', 'block calendar', 'spam folder settings']) {
      expect([phrase, (await list(phrase))[0]]).toEqual([phrase, expect.not.stringMatching(DESTRUCTIVE)])
    }
  })

  it('searches the mail if no word but fillers matches', async () => {
    const { list } = await openPalette('thread-1')
    for (const phrase of ['invoice from acme', 'zzqx to']) {
      expect(await list(phrase)).toEqual([`Search mail for “${phrase}”`])
    }
  })

  it('keeps the search in reach below rows that match part of a phrase', async () => {
    const { list } = await openPalette('thread-1')
    const rows = await list('go acme')
    expect(rows.length).toBeLessThan(12)
    expect(rows.at(-1)).toBe('Search mail for “go acme”')
  })
})
