/** Every screen of the window with the demo mailbox in it, and how a person gets there: for pictures, and for what holds on all of them. */
import type { Locator, Page } from '@playwright/test'
import type { Platform } from './platform.ts'

/** A started window, and the platform that it speaks to. */
export interface Stage {
  readonly page: Page
  readonly platform: Platform
}

export interface Screen {
  /** Names its picture's file. */
  readonly name: string
  /** Shows it, from the inbox without anything open. */
  readonly show: (stage: Stage) => Promise<void>
  /** Puts back what going to the inbox does not. */
  readonly leave?: (stage: Stage) => Promise<void>
}

const threads = (page: Page): Locator => page.getByRole('listbox', { name: 'Threads' })
const rows = (page: Page): Locator => threads(page).getByRole('option')
const dialog = (page: Page, name: string | RegExp): Locator => page.getByRole('dialog', { name })
const panel = (page: Page): Locator => page.getByRole('complementary', { name: 'Contact' })
const bar = (page: Page): Locator => page.getByRole('combobox', { name: 'Search mail' })
/** A thread of the demo with labels, several e-mails and a formatted one among them. */
const LETTER = 'SSO for 140 people'
/** A label that no thread has. */
const EMPTY_LABEL = 'Waiting for ice'

export const goToHash = async (page: Page, hash: string): Promise<void> => {
  await page.evaluate((next) => {
    location.hash = next
  }, hash)
}

/** What is open is closed, and the inbox shown: where every screen begins. */
export const goToInbox = async ({ page, platform }: Stage): Promise<void> => {
  for (const overlay of await page.locator(':is([role="dialog"], [role="menu"])[data-state="open"]').all()) {
    await page.keyboard.press('Escape')
    await overlay.waitFor({ state: 'hidden' })
  }
  await goToHash(page, `#/inboxes/${platform.inboxId}/inbox`)
  await rows(page).nth(3).waitFor()
  await page.keyboard.press('Escape')
  await threads(page).focus()
  await page.keyboard.press('Home')
}

const openEmailMenu = async ({ page }: Stage): Promise<void> => {
  await page.getByRole('button', { name: 'More actions' }).last().click()
  await page.getByRole('menu', { name: 'More actions' }).waitFor()
}

/** Chooses a command by the palette, from anywhere. */
export const runByPalette = async (page: Page, name: string): Promise<void> => {
  const palette = dialog(page, 'Command palette')
  await page.keyboard.press('ControlOrMeta+k')
  await palette.getByRole('combobox').fill(name)
  await palette
    .getByRole('option', { name: new RegExp(`^${name}`) })
    .first()
    .waitFor()
  await page.keyboard.press('Enter')
  await palette.waitFor({ state: 'hidden' })
}

/** Opens a thread by its subject, wherever in its list it is. */
const openThreadOf = async (
  { page, platform: { ask, inboxId } }: Stage,
  folder: 'inbox' | 'spam',
  words: string,
): Promise<void> => {
  const { data } = (await ask(`/inboxes/${inboxId}/threads?folders=${folder}&limit=100`)) as {
    data: readonly { readonly id: string; readonly subject: string | null }[]
  }
  const letter = data.find(({ subject }) => subject?.includes(words))
  await goToHash(page, `#/inboxes/${inboxId}/${folder}/threads/${letter?.id ?? ''}`)
  await page.getByRole('article').last().waitFor()
}

const openThread = (stage: Stage): Promise<void> => openThreadOf(stage, 'inbox', LETTER)

/** A mail that lies about its sender and its links. */
const openPhishing = (stage: Stage): Promise<void> => openThreadOf(stage, 'spam', 'Your payout of')

const shareNewest = async (stage: Stage): Promise<void> => {
  await openThread(stage)
  const { page } = stage
  await page.getByRole('toolbar', { name: 'Thread actions' }).getByRole('button', { name: 'Share link' }).click()
  await dialog(page, 'Share link').waitFor()
}

const makeShareLink = async (stage: Stage): Promise<void> => {
  await shareNewest(stage)
  const share = dialog(stage.page, 'Share link')
  await share.getByRole('button', { name: 'Create link' }).click()
  await share.getByRole('textbox', { name: 'Link' }).waitFor()
}

const search = async ({ page, platform }: Stage, query: string): Promise<void> => {
  await goToHash(page, `#/inboxes/${platform.inboxId}/search?query=${encodeURIComponent(query)}`)
  await page.getByRole('status', { name: 'Search scope' }).or(page.getByRole('alert')).first().waitFor()
}

const type = async (page: Page, text: string): Promise<void> => {
  await bar(page).focus()
  await page.keyboard.type(text)
}

const goToLabel = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('list', { name: 'Labels' }).getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { name, level: 2 }).waitFor()
}

const firstOf = async (page: Page, hash: string, list: string): Promise<void> => {
  await goToHash(page, hash)
  await page.getByRole('listbox', { name: list }).getByRole('option').first().click()
}

const settings = async (page: Page): Promise<void> => {
  await goToHash(page, '#/settings')
  await page.getByRole('button', { name: 'Disconnect' }).waitFor()
}

/** What the screens need beside the demo. */
export const prepareMailbox = async ({ ask, inboxId }: Platform): Promise<void> => {
  await ask(`/inboxes/${inboxId}/labels`, { method: 'POST', body: { name: EMPTY_LABEL, color: '#12A594' } })
}

const EVERYWHERE = 'in:anywhere'

/** Those that a window shows one after the other. */
export const SCREENS: readonly Screen[] = [
  { name: 'inbox', show: () => Promise.resolve() },
  { name: 'conversation', show: openThread },
  {
    name: 'attachment-preview',
    show: async ({ page, platform: { ask } }) => {
      const { data } = (await ask('/emails/receiving?limit=100')) as {
        data: readonly { readonly id: string; readonly attachments: readonly { readonly filename: string | null }[] }[]
      }
      const email = data.find(({ attachments }) => attachments.some(({ filename }) => filename?.endsWith('.pdf')))
      await goToHash(page, `#/received/${email?.id ?? ''}`)
      await page
        .getByRole('list', { name: 'Attachments' })
        .getByRole('button', { name: /^Open .*\.pdf/ })
        .first()
        .click()
      await dialog(page, /^Preview of/)
        .getByRole('status')
        .filter({ hasText: 'Page 1' })
        .waitFor()
    },
  },
  {
    name: 'find-in-conversation',
    show: async (stage) => {
      await openThread(stage)
      await stage.page.keyboard.press('ControlOrMeta+f')
      await stage.page.keyboard.type('the')
      await stage.page.getByRole('search', { name: 'Find in conversation' }).getByText(/of \d/).waitFor()
    },
  },
  {
    name: 'selection',
    show: async ({ page }) => {
      for (const key of ['x', 'Shift+j', 'Shift+j', 'Shift+j']) await page.keyboard.press(key)
      await page.getByRole('region', { name: 'Selected threads' }).waitFor()
    },
  },
  {
    name: 'selection-of-all',
    show: async ({ page }) => {
      for (const key of ['*', '*']) await page.keyboard.press(key)
      await page.getByRole('toolbar', { name: 'Selection' }).getByText('are selected').waitFor()
    },
  },
  {
    name: 'label-picker',
    show: async ({ page }) => {
      for (const key of ['x', 'Shift+j', 'Shift+j', 'l']) await page.keyboard.press(key)
      await dialog(page, 'Labels').getByRole('option').first().waitFor()
      await page.keyboard.press('Space')
    },
  },
  {
    name: 'label-picker-new',
    show: async ({ page }) => {
      await page.keyboard.press('l')
      await dialog(page, 'Labels').getByRole('combobox').fill('Ferry')
    },
  },
  {
    name: 'move-picker',
    show: async ({ page }) => {
      await page.keyboard.press('v')
      await dialog(page, 'Move to').getByRole('option').first().waitFor()
    },
  },
  {
    name: 'thread-menu',
    show: async ({ page }) => {
      await page.keyboard.press('Shift+F10')
      await page.getByRole('menu', { name: 'Thread' }).waitFor()
    },
  },
  {
    name: 'notice',
    show: async ({ page }) => {
      await page.keyboard.press('Shift+u')
      await page.keyboard.press('Shift+i')
      await page
        .getByText(/^Marked as/)
        .first()
        .waitFor()
    },
    leave: async ({ page }) => {
      for (const dismiss of (await page.getByRole('button', { name: 'Dismiss' }).all()).toReversed())
        await dismiss.click()
    },
  },
  {
    name: 'email-menu',
    show: async (stage) => {
      await openThread(stage)
      await openEmailMenu(stage)
    },
  },
  {
    name: 'message-source',
    show: async (stage) => {
      await openThread(stage)
      await openEmailMenu(stage)
      await stage.page.getByRole('menuitem', { name: 'Show source' }).click()
      const source = dialog(stage.page, 'Message source')
      await source.getByRole('searchbox', { name: 'Find in source' }).fill('received')
      await source.getByRole('status', { name: 'Found in source' }).filter({ hasText: /^1 of/ }).waitFor()
    },
  },
  {
    name: 'palette',
    show: async ({ page }) => {
      await page.keyboard.press('ControlOrMeta+k')
      await dialog(page, 'Command palette').getByRole('option').first().waitFor()
    },
  },
  {
    name: 'palette-typed',
    show: async ({ page }) => {
      await page.keyboard.press('ControlOrMeta+k')
      await dialog(page, 'Command palette').getByRole('combobox').fill('mar')
    },
  },
  {
    name: 'shortcuts',
    show: async ({ page }) => {
      await page.keyboard.press('?')
      await dialog(page, 'Keyboard shortcuts').waitFor()
    },
  },
  {
    name: 'search-suggestions',
    show: async ({ page }) => {
      await type(page, 'from:m')
      await page.getByRole('listbox', { name: 'Search suggestions' }).getByRole('option').first().waitFor()
    },
  },
  { name: 'search-results', show: (stage) => search(stage, `${EVERYWHERE} from:mara has:attachment rota`) },
  {
    name: 'search-scope',
    show: async ({ page }) => {
      await page.getByRole('button', { name: /^in: .*, change$/ }).click()
      await page.getByRole('menuitemradio').first().waitFor()
    },
  },
  {
    name: 'search-explained',
    show: async (stage) => {
      await search(stage, `${EVERYWHERE} from:mara -draft after:2026-01-01 rota`)
      await stage.page.getByRole('button', { name: 'Explain search' }).click()
      await stage.page.getByRole('region', { name: 'What is searched' }).waitFor()
    },
    leave: ({ page }) => page.getByRole('button', { name: 'Explain search' }).click(),
  },
  {
    name: 'search-fault',
    show: async ({ page }) => {
      await type(page, 'fog subject:rota')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
    },
    leave: async ({ page }) => {
      await page.getByRole('button', { name: 'Clear search' }).click()
    },
  },
  {
    name: 'search-without-a-hit',
    show: async (stage) => {
      await search(stage, 'no-letter-has-this')
      await stage.page.getByRole('button', { name: 'Search in every folder' }).waitFor()
    },
  },
  {
    name: 'save-search',
    show: async (stage) => {
      await search(stage, `${EVERYWHERE} is:unread`)
      await stage.page.getByRole('button', { name: 'Save search' }).click()
      await dialog(stage.page, 'Save search').waitFor()
    },
  },
  { name: 'label', show: ({ page }) => goToLabel(page, 'Bug') },
  {
    name: 'label-without-threads',
    show: async ({ page }) => {
      await goToLabel(page, EMPTY_LABEL)
      await page.getByText(/Press l to put it on a thread/).waitFor()
    },
  },
  {
    name: 'new-label',
    show: async ({ page }) => {
      await page.getByRole('button', { name: 'New label' }).click()
      await dialog(page, 'New label').waitFor()
    },
  },
  {
    name: 'edit-label',
    show: async ({ page }) => {
      await goToLabel(page, 'Bug')
      await runByPalette(page, 'Edit label')
      await dialog(page, 'Edit label').waitFor()
    },
  },
  {
    name: 'delete-label',
    show: async ({ page }) => {
      await goToLabel(page, 'Bug')
      await runByPalette(page, 'Delete label')
      await dialog(page, /^Delete label/).waitFor()
    },
  },
  {
    name: 'trash-conversation',
    show: async ({ page, platform }) => {
      await goToHash(page, `#/inboxes/${platform.inboxId}/trash`)
      await rows(page).first().click()
      await page.getByText('deleted within').first().waitFor()
    },
  },
  {
    name: 'sender-checks',
    show: async (stage) => {
      await openPhishing(stage)
      await stage.page.getByRole('button', { name: 'Domain not confirmed' }).click()
      await dialog(stage.page, 'Checks of the sender').waitFor()
    },
  },
  {
    name: 'link-question',
    show: async (stage) => {
      const { page } = stage
      await openPhishing(stage)
      await page.frameLocator('iframe').getByRole('link', { name: 'coínpurse.example' }).click()
      await dialog(page, 'Open this link?').waitFor()
    },
  },
  {
    name: 'share-link',
    show: shareNewest,
  },
  {
    name: 'share-link-typed',
    show: async (stage) => {
      await shareNewest(stage)
      const share = dialog(stage.page, 'Share link')
      await share.getByRole('radio', { name: 'Other' }).check({ force: true })
      await share.getByRole('textbox', { name: 'How long' }).fill('3 days')
      await share.getByRole('alert').waitFor()
    },
    leave: ({ page }) => dialog(page, 'Share link').getByRole('radio', { name: '48 hours' }).check({ force: true }),
  },
  { name: 'share-link-made', show: makeShareLink },
  {
    name: 'share-links',
    show: async (stage) => {
      const { page } = stage
      await makeShareLink(stage)
      await page.keyboard.press('Escape')
      await goToHash(page, '#/share-links')
      await page
        .getByRole('region', { name: 'Share links' })
        .getByRole('button', { name: 'Copy link' })
        .first()
        .waitFor()
    },
  },
  {
    name: 'person',
    show: async (stage) => {
      await openThread(stage)
      await stage.page.keyboard.press('ControlOrMeta+i')
      await panel(stage.page).getByRole('switch').first().waitFor()
    },
    leave: ({ page }) => panel(page).getByRole('button', { name: 'Close contact' }).click(),
  },
  {
    name: 'add-contact',
    show: async (stage) => {
      await goToHash(stage.page, `#/inboxes/${stage.platform.inboxId}/spam`)
      await rows(stage.page).first().click()
      await stage.page.keyboard.press('ControlOrMeta+i')
      await panel(stage.page).getByRole('button', { name: 'Add', exact: true }).click()
      await dialog(stage.page, 'Add contact').waitFor()
    },
    leave: async ({ page }) => {
      await page.keyboard.press('Escape')
      await panel(page).getByRole('button', { name: 'Close contact' }).click()
    },
  },
  {
    name: 'person-over-the-mail',
    show: async (stage) => {
      await stage.page.setViewportSize({ width: 900, height: 600 })
      await openThread(stage)
      await stage.page.keyboard.press('ControlOrMeta+i')
      await panel(stage.page).getByRole('switch').first().waitFor()
    },
    leave: ({ page }) => page.setViewportSize({ width: 1440, height: 900 }),
  },
  {
    name: 'contacts',
    show: async ({ page }) => {
      await firstOf(page, '#/contacts', 'Contacts')
      await page.getByRole('switch').first().waitFor()
    },
  },
  {
    name: 'contacts-filtered',
    show: async ({ page }) => {
      await goToHash(page, '#/contacts')
      await page.getByRole('searchbox', { name: 'Filter contacts' }).fill('mara')
      await page.getByRole('listbox', { name: 'Contacts' }).getByRole('option').first().waitFor()
    },
    leave: ({ page }) => page.getByRole('button', { name: 'Clear filter' }).click(),
  },
  {
    name: 'contacts-choice',
    show: async ({ page }) => {
      await goToHash(page, '#/contacts')
      await page.getByRole('button', { name: 'All, newest first' }).click()
      await page.getByRole('menuitemradio').first().waitFor()
    },
  },
  {
    name: 'received',
    show: async ({ page }) => {
      await firstOf(page, '#/received', 'Received e-mails')
      await page.getByRole('region', { name: 'Received e-mail' }).getByRole('article').waitFor()
    },
  },
  {
    name: 'sent',
    show: async ({ page }) => {
      await firstOf(page, '#/sent', 'Sent e-mails')
      await page.getByRole('region', { name: 'Sent e-mail' }).getByRole('article').waitFor()
    },
  },
  { name: 'settings', show: ({ page }) => settings(page) },
  {
    name: 'settings-keys',
    show: async ({ page }) => {
      await settings(page)
      await page.getByText('Change keys', { exact: true }).click()
      await page.getByRole('button', { name: 'Change keys of Archive' }).click()
      await page.keyboard.press('j')
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'clear-mail',
    show: async ({ page }) => {
      await settings(page)
      await page.getByRole('button', { name: 'Clear mail on this computer…' }).click()
      await dialog(page, 'Clear mail on this computer').waitFor()
    },
  },
  {
    name: 'reading-pane-below',
    show: async (stage) => {
      await runByPalette(stage.page, 'Reading pane: below')
      await openThread(stage)
    },
    leave: ({ page }) => runByPalette(page, 'Reading pane: right'),
  },
  {
    name: 'reading-pane-off',
    show: async (stage) => {
      await runByPalette(stage.page, 'Reading pane: off')
      await openThread(stage)
    },
    leave: ({ page }) => runByPalette(page, 'Reading pane: right'),
  },
]
