/**
 * Tasks of a hurried day, each by keys alone and by pointer alone, within the steps that the best client of its kind
 * needs; topics and proposals, which no other has, within today's. A step is a key or chord, a run of typed text, or a
 * click. Opening the thread isn't counted.
 */
import type { Locator, Page } from '@playwright/test'
import { asAssistant } from '../support/as-assistant.ts'
import type { Platform } from '../support/platform.ts'
import { sentOf } from '../support/sent-emails.ts'
import type { Stage } from '../support/screens.ts'
import { expect, goTo, makeLabels, SENDING_AT_ONCE, test, threadOn } from './linnet.ts'

test.use({ preferences: { ...SENDING_AT_ONCE, isFirstDayDone: true } })
// Files and prints need dialogs of the system in Electron, whose steps aren't ours.
test.skip(({ hostKind }) => hostKind !== 'browser', 'The system’s dialogs cannot be driven in Electron.')

const conversation = (page: Page): Locator => page.getByRole('region', { name: 'Thread', exact: true })
const toolbar = (page: Page): Locator => page.getByRole('toolbar', { name: 'Thread actions' })
const button = (within: Locator, name: string | RegExp): Locator =>
  within.getByRole('button', { name, exact: typeof name === 'string' })
const sideBar = (page: Page): Locator => page.getByRole('navigation', { name: 'Mailboxes' })
const option = (page: Page, name: RegExp): Locator => page.getByRole('option', { name }).first()
const rows = (page: Page): Locator => page.getByRole('listbox', { name: 'Threads' }).getByRole('option')

/** Counts the steps. Waits for what is clicked, as a user would. */
class Hand {
  readonly page: Page
  readonly subject: string
  steps = 0

  constructor(page: Page, subject: string) {
    this.page = page
    this.subject = subject
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.steps += 1
      await this.page.keyboard.press(key)
    }
  }

  async type(text: string): Promise<void> {
    this.steps += 1
    await this.page.keyboard.type(text)
  }

  async click(target: Locator): Promise<void> {
    this.steps += 1
    await target.click()
  }

  /** Waits until the focus is in a field: keys pressed before belong to the window. */
  async inField(): Promise<void> {
    await expect
      .poll(() =>
        this.page.evaluate(() => document.activeElement?.matches('input, textarea, [contenteditable="true"]')),
      )
      .toBe(true)
  }

  async pressTabTo(target: Locator): Promise<void> {
    await expect(target).toBeVisible()
    while (!(await target.evaluate((element) => element === document.activeElement))) await this.press('Tab')
  }

  /** Runs a command by name. */
  async command(name: string): Promise<void> {
    await this.press('ControlOrMeta+k')
    await this.inField()
    await this.type(name)
    await this.press('Enter')
  }
}

type Way = 'keys' | 'pointer'

interface Task {
  readonly name: string
  /** Most steps by keys and by pointer. */
  readonly most: Readonly<Record<Way, number>>
  readonly keys: (hand: Hand) => Promise<void>
  readonly pointer: (hand: Hand) => Promise<void>
  readonly done: (stage: Stage, subject: string, downloads: readonly string[]) => Promise<void>
}

const isSent =
  (subject: (of: string) => string) =>
  async ({ platform }: Stage, of: string): Promise<void> => {
    await expect
      .poll(async () => (await sentOf(platform)).map((sent) => sent.subject), { timeout: 30_000 })
      .toContain(subject(of))
  }

const isInFolder =
  (folder: string) =>
  async ({ platform }: Stage, subject: string): Promise<void> => {
    await expect.poll(() => threadOn(platform, subject), { timeout: 30_000 }).toMatchObject({ folder })
  }

const hasLabel =
  (label: string) =>
  async ({ platform }: Stage, subject: string): Promise<void> => {
    await expect
      .poll(async () => (await threadOn(platform, subject))?.labels.map(({ name }) => name), { timeout: 30_000 })
      .toContain(label)
  }

/** Subscription of the only contact to the only topic. */
const subscriptionOf = async ({ ask }: Platform): Promise<string | undefined> => {
  const { data } = (await ask('/contacts/ann@pier.example/topics')) as {
    readonly data: readonly { readonly subscription: string }[]
  }
  return data[0]?.subscription
}

const createTopicAndContact = async ({ ask }: Platform): Promise<void> => {
  await ask('/topics', { method: 'POST', body: { name: 'Tide tables', default_subscription: 'opt_out' } })
  await ask('/contacts', { method: 'POST', body: { email: 'ann@pier.example' } })
}

/** Proposes to archive a thread, as an assistant does. */
const propose = async (platform: Platform, dataDirectory: string, subject: string): Promise<void> => {
  const { inboxId } = platform
  const threadIds = [(await threadOn(platform, subject))?.id ?? '']
  const change = { kind: 'move', threadIds, folder: 'archive' } as const
  await asAssistant(dataDirectory, (file) =>
    file.propose({ at: Date.now(), client: 'Helper', inboxId, reason: 'It is answered.', change }),
  )
}

const search = (name: string, query: (subject: string) => string): Task => ({
  name: `search ${name}`,
  most: { keys: 3, pointer: 3 },
  keys: async (hand) => {
    await hand.press('/')
    await hand.type(query(hand.subject))
    await hand.press('Enter')
  },
  pointer: async (hand) => {
    await hand.click(hand.page.getByRole('combobox', { name: 'Search mail' }))
    await hand.type(query(hand.subject))
    await hand.click(rows(hand.page).filter({ hasText: hand.subject }).first())
  },
  done: async ({ page }, subject) => {
    await expect(rows(page).filter({ hasText: subject }).first()).toBeVisible()
    await expect(page.getByRole('combobox', { name: 'Search mail' })).not.toBeFocused()
  },
})

const TASKS: readonly Task[] = [
  {
    name: 'triage',
    most: { keys: 1, pointer: 1 },
    keys: (hand) => hand.press('e'),
    pointer: (hand) => hand.click(button(toolbar(hand.page), 'Archive')),
    done: isInFolder('archive'),
  },
  {
    name: 'answer',
    most: { keys: 3, pointer: 3 },
    keys: async (hand) => {
      await hand.press('r')
      await hand.inField()
      await hand.type('On Monday.')
      await hand.press('ControlOrMeta+Enter')
    },
    pointer: async (hand) => {
      await hand.click(button(toolbar(hand.page), 'Reply'))
      await hand.inField()
      await hand.type('On Monday.')
      await hand.click(hand.page.getByRole('button', { name: 'Send', exact: true }))
    },
    done: isSent((subject) => `Re: ${subject}`),
  },
  {
    name: 'forward',
    most: { keys: 4, pointer: 4 },
    keys: async (hand) => {
      await hand.press('f')
      await hand.inField()
      await hand.type('ben@pier.example')
      await hand.press('ControlOrMeta+Enter')
    },
    pointer: async (hand) => {
      await hand.click(button(toolbar(hand.page), 'Forward'))
      await hand.inField()
      await hand.type('ben@pier.example')
      await hand.click(hand.page.getByRole('button', { name: 'Send', exact: true }))
    },
    done: isSent((subject) => `Fwd: ${subject}`),
  },
  {
    name: 'schedule',
    most: { keys: 5, pointer: 5 },
    keys: async (hand) => {
      await hand.press('r')
      await hand.inField()
      await hand.type('On Monday.')
      await hand.press('ControlOrMeta+Shift+l')
      await expect(hand.page.getByRole('combobox', { name: 'Type a time' })).toBeFocused()
      await hand.type('tomorrow 9am')
      await hand.press('Enter')
    },
    pointer: async (hand) => {
      await hand.click(button(toolbar(hand.page), 'Reply'))
      await hand.inField()
      await hand.type('On Monday.')
      await hand.click(hand.page.getByRole('button', { name: 'Schedule', exact: true }))
      await hand.click(option(hand.page, /Tomorrow/))
    },
    done: isSent((subject) => `Re: ${subject}`),
  },
  {
    name: 'snooze',
    most: { keys: 3, pointer: 2 },
    keys: async (hand) => {
      await hand.press('h')
      await hand.inField()
      await hand.type('tomorrow')
      await hand.press('Enter')
    },
    pointer: async (hand) => {
      await hand.click(button(toolbar(hand.page), /^Snooze/))
      await hand.click(option(hand.page, /Tomorrow/))
    },
    done: async ({ page }, subject) => {
      await expect(
        page
          .locator('.toasts')
          .getByText(/^Snoozed/)
          .first(),
      ).toBeVisible()
      await expect(rows(page).filter({ hasText: subject })).toHaveCount(0)
    },
  },
  {
    name: 'rule',
    most: { keys: 8, pointer: 5 },
    keys: async (hand) => {
      const dialog = hand.page.getByRole('dialog', { name: 'New rule' })
      await hand.press('Shift+f')
      await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused()
      await expect(dialog.getByText(/^This search matches/)).toBeVisible()
      await hand.press('Tab', 'Tab', 'Tab', 'Tab', 'ArrowRight')
      await expect(dialog.getByRole('radio', { name: 'Archive' })).toBeChecked()
      await hand.press('Enter')
    },
    pointer: async (hand) => {
      const dialog = hand.page.getByRole('dialog', { name: 'New rule' })
      hand.steps += 1
      await rows(hand.page).filter({ hasText: hand.subject }).click({ button: 'right' })
      await hand.click(hand.page.getByRole('menuitem', { name: /^Create rule/ }))
      hand.steps += 1
      await dialog.getByRole('radio', { name: 'Archive' }).check({ force: true })
      await hand.click(dialog.getByRole('button', { name: 'Save' }))
    },
    done: async ({ page }) => {
      await expect(page.getByRole('dialog', { name: 'New rule' })).toHaveCount(0)
    },
  },
  {
    name: 'assign',
    most: { keys: 3, pointer: 2 },
    keys: async (hand) => {
      await hand.press('@')
      await hand.inField()
      await hand.type('Ines')
      await hand.press('Enter')
    },
    pointer: async (hand) => {
      await hand.click(button(toolbar(hand.page), /^Assign/))
      await hand.click(option(hand.page, /Ines/))
    },
    done: hasLabel('@Ines'),
  },
  {
    name: 'label',
    most: { keys: 3, pointer: 3 },
    keys: async (hand) => {
      await hand.press('l')
      await hand.inField()
      await hand.type('Bills')
      await hand.press('Enter')
    },
    pointer: async (hand) => {
      await hand.click(button(toolbar(hand.page), /^Label/))
      await hand.click(option(hand.page, /Bills/))
      await hand.click(hand.page.getByRole('dialog', { name: 'Labels' }).getByRole('button', { name: 'Apply' }))
    },
    done: hasLabel('Bills'),
  },
  {
    name: 'move',
    most: { keys: 3, pointer: 2 },
    keys: async (hand) => {
      await hand.press('v')
      await hand.inField()
      await hand.type('tra')
      await hand.press('Enter')
    },
    pointer: async (hand) => {
      await hand.click(button(toolbar(hand.page), 'Move to…'))
      await hand.click(option(hand.page, /Trash/))
    },
    done: isInFolder('trash'),
  },
  search('a word', (subject) => subject),
  search('a phrase', (subject) => `"${subject}"`),
  search('by sender', (subject) => `from:harbour ${subject}`),
  search('by subject', (subject) => `subject:"${subject}"`),
  search('by date', (subject) => `after:yesterday ${subject}`),
  search('by folder', (subject) => `in:anywhere ${subject}`),
  search('by attachment', (subject) => `-has:attachment ${subject}`),
  search('without a word', (subject) => `-herring "${subject}"`),
  {
    name: 'file',
    most: { keys: 1, pointer: 1 },
    keys: (hand) => hand.press('ControlOrMeta+s'),
    pointer: (hand) => hand.click(button(conversation(hand.page), 'Save tides.csv')),
    done: async (_stage, subject, downloads) => {
      await expect.poll(() => downloads, subject).toContain('tides.csv')
    },
  },
  {
    name: 'import',
    most: { keys: 3, pointer: 2 },
    keys: async (hand) => {
      const chosen = hand.page.waitForEvent('filechooser')
      await hand.command('import contacts')
      await chosen
    },
    pointer: async (hand) => {
      const chosen = hand.page.waitForEvent('filechooser')
      await hand.click(sideBar(hand.page).getByRole('link', { name: 'Contacts' }))
      await hand.click(hand.page.getByRole('button', { name: 'Import contacts' }))
      await chosen
    },
    done: () => Promise.resolve(),
  },
  {
    name: 'print',
    most: { keys: 2, pointer: 3 },
    keys: (hand) => hand.press('ControlOrMeta+p'),
    pointer: async (hand) => {
      await hand.click(button(conversation(hand.page).getByRole('article').last(), 'More actions'))
      await hand.click(hand.page.getByRole('menuitem', { name: /^Print(?! preview| thread)/ }))
    },
    done: async ({ page }) => {
      await expect(page.locator('iframe[title="Print"]')).toBeAttached()
    },
  },
  {
    // By mail, which can be checked first. A request to the list's server needs one step less.
    name: 'unsubscribe',
    most: { keys: 3, pointer: 3 },
    keys: async (hand) => {
      await hand.press('q')
      await expect(button(hand.page.getByRole('dialog', { name: 'Unsubscribe' }), /^Write/)).toBeFocused()
      await hand.press('Enter')
      await hand.inField()
      await hand.press('ControlOrMeta+Enter')
    },
    pointer: async (hand) => {
      await hand.click(button(conversation(hand.page), 'Unsubscribe'))
      await hand.click(button(hand.page.getByRole('dialog', { name: 'Unsubscribe' }), /^Write/))
      await hand.click(hand.page.getByRole('button', { name: 'Send', exact: true }))
    },
    done: async ({ platform }) => {
      await expect
        .poll(async () => (await sentOf(platform)).flatMap(({ to }) => to), { timeout: 30_000 })
        .toContain('leave@tide.example')
    },
  },
  {
    name: 'block',
    most: { keys: 3, pointer: 3 },
    keys: (hand) => hand.press('Shift+b'),
    pointer: async (hand) => {
      hand.steps += 1
      await rows(hand.page).filter({ hasText: hand.subject }).click({ button: 'right' })
      await hand.click(hand.page.getByRole('menuitem', { name: /^Block/ }))
    },
    done: isInFolder('spam'),
  },
  {
    name: 'share',
    most: { keys: 4, pointer: 2 },
    keys: async (hand) => {
      await hand.command('share link')
      await expect(hand.page.getByRole('dialog', { name: 'Share link' })).toBeVisible()
      await hand.press('Enter')
    },
    pointer: async (hand) => {
      await hand.click(button(toolbar(hand.page), 'Share link'))
      await hand.click(hand.page.getByRole('dialog', { name: 'Share link' }).getByRole('button', { name: /^Create/ }))
    },
    done: async ({ page }) => {
      await expect(page.getByRole('textbox', { name: 'Link' })).toHaveValue(/^http/)
      await page.keyboard.press('Escape')
    },
  },
  {
    name: 'contact',
    most: { keys: 1, pointer: 1 },
    keys: (hand) => hand.press('ControlOrMeta+i'),
    pointer: (hand) => hand.click(button(toolbar(hand.page), /^Show contact/)),
    done: async ({ page }) => {
      await expect(page.getByRole('complementary', { name: 'Contact' })).toBeVisible()
      await page.keyboard.press('ControlOrMeta+i')
    },
  },
  {
    name: 'topics',
    most: { keys: 6, pointer: 3 },
    keys: async (hand) => {
      await hand.press('g', 'c')
      await expect(hand.page.getByRole('option', { name: /ann@pier\.example/ })).toBeVisible()
      await hand.press('t')
      await expect(hand.page.getByRole('dialog', { name: 'Contact topics' })).toBeVisible()
      await hand.pressTabTo(button(hand.page.getByRole('dialog'), 'Subscribe to Tide tables'))
      await hand.press('Enter')
    },
    pointer: async (hand) => {
      await hand.click(sideBar(hand.page).getByRole('link', { name: 'Contacts' }))
      await hand.click(hand.page.getByRole('option', { name: /ann@pier\.example/ }))
      await hand.click(hand.page.getByRole('switch', { name: 'Tide tables' }))
    },
    done: async ({ platform }) => {
      await expect.poll(() => subscriptionOf(platform), { timeout: 30_000 }).toBe('opt_in')
    },
  },
  {
    name: 'accounts',
    most: { keys: 3, pointer: 3 },
    keys: (hand) => hand.command('add account'),
    pointer: async (hand) => {
      await hand.click(sideBar(hand.page).getByRole('link', { name: 'Settings' }))
      await hand.click(hand.page.getByRole('link', { name: 'Accounts' }))
      await hand.click(hand.page.getByRole('button', { name: /^Add account/ }))
    },
    done: async ({ page }) => {
      await expect(page.getByLabel('API key')).toBeVisible()
      await page.keyboard.press('Escape')
    },
  },
  {
    name: 'proposals',
    most: { keys: 6, pointer: 2 },
    keys: async (hand) => {
      await hand.command('review')
      await hand.pressTabTo(button(hand.page.getByRole('dialog', { name: 'Assistant proposals' }), 'Accept'))
      await hand.press('Enter')
    },
    pointer: async (hand) => {
      await hand.click(hand.page.getByRole('button', { name: 'Review…' }))
      await hand.click(
        hand.page.getByRole('dialog', { name: 'Assistant proposals' }).getByRole('button', { name: 'Accept' }),
      )
    },
    done: isInFolder('archive'),
  },
  {
    name: 'export',
    most: { keys: 3, pointer: 3 },
    keys: (hand) => hand.command('export'),
    pointer: async (hand) => {
      await hand.click(sideBar(hand.page).getByRole('link', { name: 'Settings' }))
      await hand.click(hand.page.getByRole('link', { name: 'Mail on this computer' }))
      await hand.click(hand.page.getByRole('button', { name: /^Export/ }).first())
    },
    done: async ({ page }) => {
      await expect(page.getByRole('dialog', { name: 'Export' })).toBeVisible()
      await page.keyboard.press('Escape')
    },
  },
  {
    name: 'settings',
    most: { keys: 3, pointer: 3 },
    keys: (hand) => hand.command('dark'),
    pointer: async (hand) => {
      await hand.click(sideBar(hand.page).getByRole('link', { name: 'Settings' }))
      await hand.click(hand.page.getByRole('link', { name: 'Appearance' }))
      hand.steps += 1
      await hand.page.getByRole('radio', { name: 'Light' }).check({ force: true })
    },
    done: async ({ page }) => {
      await expect(page.locator('html')).toHaveAttribute('data-theme', /dark|light/)
    },
  },
]

for (const way of ['keys', 'pointer'] as const) {
  test(`needs no more steps than the best client, by ${way}`, async ({ linnet: { page }, platform, dataDirectory }) => {
    test.setTimeout(600_000)
    page.setDefaultTimeout(15_000)
    await makeLabels(platform, 'Bills', '@Ines')
    await createTopicAndContact(platform)
    const subjectOf = ({ name }: Task): string => `Tide ${name} by ${way}`
    const inOrder = TASKS.toReversed()
    for (const task of inOrder) {
      const subject = subjectOf(task)
      const from = `${task.name.replaceAll(' ', '-')}@harbour.example`
      const attachments = [{ filename: 'tides.csv', content: Buffer.from('high,low') }]
      const headers = {
        'Authentication-Results': 'mx.example.com; spf=pass; dkim=pass; dmarc=pass',
        'List-Id': '<harbour.example>',
        'List-Unsubscribe': '<mailto:leave@tide.example>',
      }
      await platform.deliver({
        ...{ from, subject, text: subject },
        ...(task.name === 'file' && { attachments }),
        ...(task.name === 'unsubscribe' && { headers }),
      })
    }
    await page.keyboard.press('F5')
    await expect(rows(page)).not.toHaveCount(0)
    await propose(platform, dataDirectory, `Tide proposals by ${way}`)
    const table: string[] = []
    const downloads: string[] = []
    page.on('download', (download) => downloads.push(download.suggestedFilename()))
    for (const task of TASKS) {
      await test.step(task.name, async () => {
        const subject = subjectOf(task)
        const thread = await threadOn(platform, subject)
        await goTo(page, `#/inboxes/${platform.inboxId}/inbox/threads/${thread?.id ?? ''}`)
        // Search results hold the same row elsewhere.
        await expect(page.getByRole('heading', { name: 'Inbox', level: 2, exact: true })).toBeVisible()
        await expect(conversation(page).getByRole('heading', { level: 1 })).toHaveText(subject)
        if (task.name === 'unsubscribe') await expect(button(conversation(page), 'Unsubscribe')).toBeVisible()
        const hand = new Hand(page, subject)
        await task[way](hand)
        await task.done({ page, platform }, subject, downloads)
        table.push(`${task.name}: ${hand.steps} of ${task.most[way]}`)
        expect(hand.steps, task.name).toBeLessThanOrEqual(task.most[way])
      })
    }
    test.info().annotations.push({ type: 'steps', description: table.join(', ') })
  })
}
