/**
 * Tasks of a hurried day, each by keys alone and by pointer alone, within the steps that the best client of its kind
 * needs. A step is a key or chord, a run of typed text, or a click. Opening the thread isn't counted.
 */
import type { Locator, Page } from '@playwright/test'
import { sentOf } from '../support/sent-emails.ts'
import type { Stage } from '../support/screens.ts'
import { expect, makeLabels, SENDING_AT_ONCE, test, threadOn } from './linnet.ts'

test.use({ preferences: { ...SENDING_AT_ONCE, isFirstDayDone: true } })

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
    most: { keys: 12, pointer: 1 },
    // No client has a key for it: Tab goes through the message.
    keys: async (hand) => {
      const save = button(conversation(hand.page), 'Save tides.csv')
      await hand.press('n')
      while (!(await save.evaluate((target) => target === document.activeElement))) await hand.press('Tab')
      await hand.press('Enter')
    },
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
      await hand.click(hand.page.getByRole('menuitem', { name: 'Print message', exact: true }))
    },
    done: async ({ page }) => {
      await expect(page.locator('iframe[title="Print"]')).toBeAttached()
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
  test(`needs no more steps than the best client, by ${way}`, async ({ linnet: { page }, platform }) => {
    test.setTimeout(600_000)
    await makeLabels(platform, 'Bills', '@Ines')
    const subjectOf = ({ name }: Task): string => `Tide ${name} by ${way}`
    const inOrder = TASKS.toReversed()
    for (const task of inOrder) {
      const subject = subjectOf(task)
      const from = `${task.name.replaceAll(' ', '-')}@harbour.example`
      const attachments = [{ filename: 'tides.csv', content: Buffer.from('high,low') }]
      await platform.deliver({ from, subject, text: subject, ...(task.name === 'file' && { attachments }) })
    }
    await page.keyboard.press('F5')
    await expect(rows(page)).not.toHaveCount(0)
    const table: string[] = []
    const downloads: string[] = []
    page.on('download', (download) => downloads.push(download.suggestedFilename()))
    for (const task of TASKS) {
      await test.step(task.name, async () => {
        const subject = subjectOf(task)
        await page.evaluate((hash) => {
          location.hash = hash
        }, `#/inboxes/${platform.inboxId}/inbox`)
        // Search results hold the same row elsewhere.
        await expect(page.getByRole('heading', { name: 'Inbox', level: 2, exact: true })).toBeVisible()
        const row = rows(page).filter({ hasText: subject })
        await row.click()
        await expect(conversation(page).getByRole('heading', { level: 1 })).toHaveText(subject)
        const hand = new Hand(page, subject)
        await task[way](hand)
        await task.done({ page, platform }, subject, downloads)
        table.push(`${task.name}: ${hand.steps} of ${task.most[way]}`)
        expect(hand.steps, task.name).toBeLessThanOrEqual(task.most[way])
      })
    }
    console.log(table.join('\n'))
  })
}
