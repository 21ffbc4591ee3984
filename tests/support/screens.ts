/**
 * Every screen of the window on the demo mailbox, and how the user gets there: for screenshots and for checks that
 * apply to all screens.
 */
import type { Locator, Page } from '@playwright/test'
import { NO_ASSISTANT_ACCESS } from '../../src/shared/assistants.ts'
import { asAssistant } from './as-assistant.ts'
import { drawPng } from './drawn-pictures.ts'
import type { Platform } from './platform.ts'
import { SMALL_PDF } from './small-pdf.ts'

export interface Stage {
  readonly page: Page
  readonly platform: Platform
}

export interface ScreenStage extends Stage {
  readonly dataDirectory: string
}

export interface Screen {
  /** Also the file name of its screenshot. */
  readonly name: string
  /** Shows the screen, starting from the inbox with nothing open. */
  readonly show: (stage: ScreenStage) => Promise<void>
  /** Resets what returning to the inbox doesn't. */
  readonly leave?: (stage: ScreenStage) => Promise<void>
  /** Slow to reach, or close to another screen: only in the full walk and in screenshots. */
  readonly isRare?: boolean
}

const threads = (page: Page): Locator => page.getByRole('listbox', { name: 'Threads' })
const rows = (page: Page): Locator => threads(page).getByRole('option')
const dialog = (page: Page, name: string | RegExp): Locator => page.getByRole('dialog', { name })
/** A table as an address book exports it, with some invalid lines. */
const GUESTS = `E-mail;First name;Last name;Company;Diet;Unsubscribed
mara.lind@northpier.example;Mara;Lind;North Pier;vegetarian;
ada@quayside.example;Ada;Brook;Quayside Works;;no
"jo@quayside.example";"Jo ""the Rope""";Hale;"Quayside; Sons";;
nobody;No;One;;;
sam@harbour.example;Sam;Reed;;;perhaps
`

const panel = (page: Page): Locator => page.getByRole('complementary', { name: 'Contact' })
const bar = (page: Page): Locator => page.getByRole('combobox', { name: 'Search mail' })
/** A demo thread with labels and several e-mails, some of them in HTML. */
const LETTER = 'SSO for 140 people'
const COLOURED = 'Your tickets: Carlisle to Edinburgh'
const EMPTY_LABEL = 'Waiting for ice'
/** A thread too long to show at once, and one with a file of every type. */
const LONG_TALK = 'Which tea for the night shift'
const LONG_TALK_EMAILS = 34
const PAPERS = 'Papers of the harbour'
/** A thread with remote pictures; their URLs point to this computer, so they are blocked before any request. */
const CATALOGUE = 'The winter catalogue'
const CATALOGUE_SENDER = 'news@heron.example'

export const goToHash = async (page: Page, hash: string): Promise<void> => {
  await page.evaluate((next) => {
    location.hash = next
  }, hash)
}

/** Closes whatever is open and shows the inbox: every screen starts here. */
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

const openThreadOf = async (
  { page, platform: { ask, inboxId } }: Stage,
  folder: 'inbox' | 'spam' | 'archive',
  words: string,
): Promise<void> => {
  const { data } = (await ask(`/inboxes/${inboxId}/threads?folders=${folder}&limit=100`)) as {
    data: readonly { readonly id: string; readonly subject: string | null }[]
  }
  const letter = data.find(({ subject }) => subject?.includes(words))
  await goToHash(page, `#/inboxes/${inboxId}/${folder}/threads/${letter?.id ?? ''}`)
  await page.getByRole('article').last().waitFor()
}

export const openThread = (stage: Stage): Promise<void> => openThreadOf(stage, 'inbox', LETTER)

/** Mail with a spoofed sender and misleading links. */
const openPhishing = (stage: Stage): Promise<void> => openThreadOf(stage, 'spam', 'Your payout of')

const openPaper = async (stage: Stage, name: string): Promise<Locator> => {
  await openThreadOf(stage, 'archive', PAPERS)
  const list = stage.page.getByRole('list', { name: 'Attachments' })
  await list.getByRole('button', { name: `Open ${name}` }).click()
  return dialog(stage.page, `Preview of ${name}`)
}

const openCatalogue = async (stage: Stage): Promise<Locator> => {
  await openThreadOf(stage, 'archive', CATALOGUE)
  const note = stage.page.getByRole('note', { name: 'Blocked content' })
  await note.waitFor()
  return note
}

const alwaysShowCatalogue = async (stage: Stage): Promise<void> => {
  const note = await openCatalogue(stage)
  await note.getByRole('button', { name: `Always show from ${CATALOGUE_SENDER}` }).click()
  await note.getByText('could not be loaded').waitFor()
}

const leaveCatalogue = async ({ page }: Stage): Promise<void> => {
  await settings(page, 'privacy')
  const remove = page.getByRole('button', { name: `Remove ${CATALOGUE_SENDER}` })
  await remove.click()
  await remove.waitFor({ state: 'hidden' })
}

const BOUNCED = 'Mooring fees of the winter'

/** Sends a message to one of the platform's test addresses, once, as a colleague would. */
const openBounced = async ({ page, platform: { ask, inboxId, inboxAddress } }: Stage): Promise<void> => {
  const threadId = async (): Promise<string | undefined> => {
    const { data } = (await ask(`/inboxes/${inboxId}/threads?folders=sent&limit=100`)) as {
      data: readonly { readonly id: string; readonly subject: string | null }[]
    }
    return data.find(({ subject }) => subject === BOUNCED)?.id
  }
  if ((await threadId()) === undefined) {
    const body = { from: inboxAddress, to: 'bounced@resend.dev', subject: BOUNCED, text: 'They are due in March.' }
    await ask('/emails', { method: 'POST', body })
  }
  await goToHash(page, `#/inboxes/${inboxId}/sent/threads/${(await threadId()) ?? ''}`)
  await page.getByRole('note', { name: 'Delivery' }).getByText('Bounced').waitFor()
}

const goOffline = async ({ page, platform }: Stage): Promise<void> => {
  await platform.pause()
  await page.keyboard.press('F5')
  await page.getByRole('status').getByText('Offline').waitFor()
}

const goOnline = async ({ page, platform }: Stage): Promise<void> => {
  await platform.resume()
  await page.keyboard.press('F5')
  await page.getByRole('status').getByText('Online').waitFor()
}

const askToShare = async ({ page }: Stage): Promise<void> => {
  await page.getByRole('toolbar', { name: 'Thread actions' }).getByRole('button', { name: 'Share link' }).click()
  await dialog(page, 'Share link').waitFor()
}

const shareNewest = async (stage: Stage): Promise<void> => {
  await openThread(stage)
  await askToShare(stage)
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

/** Opens a page of the settings by its ID. */
const settings = async (page: Page, section = 'accounts'): Promise<void> => {
  await goToHash(page, `#/settings/${section}`)
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
}

/** The list of accounts in the side bar, shown only if there are several. */
const accountList = (page: Page): Locator => page.getByRole('list', { name: 'Accounts', exact: true })
const SECOND_ACCOUNT = 'Harbour office, north pier and ferry terminal'

const openAccountDialog = async (page: Page, button: string, name: string): Promise<void> => {
  await settings(page)
  const accounts = page.getByRole('region', { name: 'Accounts', exact: true })
  await accounts.getByRole('button', { name: button }).last().click()
  await dialog(page, name).waitFor()
}

/** Adds a second account. The same platform under another host name counts as a separate account. */
const withTwoAccounts = async ({ page, platform }: Stage): Promise<void> => {
  if (await accountList(page).isVisible()) return
  await page.getByRole('button', { name: 'Switch account or inbox' }).click()
  await page.getByRole('menuitem', { name: 'Add account…' }).click()
  const adding = dialog(page, 'Add account')
  await adding
    .getByRole('textbox', { name: 'Platform address' })
    .fill(platform.baseUrl.replace('127.0.0.1', 'localhost'))
  await adding.getByLabel('API key').fill(platform.apiKey)
  await adding.getByRole('button', { name: 'Connect' }).click()
  await adding.waitFor({ state: 'hidden' })
  await accountList(page).getByRole('link').nth(1).waitFor()
  await openAccountDialog(page, 'Edit…', 'Edit account')
  await page.getByRole('textbox', { name: 'Name' }).fill(SECOND_ACCOUNT)
  await page.getByRole('button', { name: 'Save' }).click()
  await accountList(page).getByRole('link', { name: SECOND_ACCOUNT }).waitFor()
  await goToHash(page, `#/inboxes/${platform.inboxId}/inbox`)
  await rows(page).nth(3).waitFor()
}

const ALL_INBOXES = '#/accounts/all/inboxes/all/inbox'

/** Shows the first account, because routes without an account mean the current one. */
const leaveAllInboxes = async ({ page }: Stage): Promise<void> => {
  await accountList(page).getByRole('link').nth(1).click()
  await accountList(page).locator('[aria-current]').filter({ hasNotText: 'All inboxes' }).waitFor()
}

const leaveSecondAccount = async (stage: Stage): Promise<void> => {
  const { page } = stage
  await goToInbox(stage)
  await openAccountDialog(page, 'Remove…', 'Remove account')
  await page.getByRole('radio', { name: /^Delete it/ }).check()
  await page.getByRole('button', { name: 'Remove account and mail' }).click()
  await accountList(page).waitFor({ state: 'hidden' })
}

/** Archives delivered mail, so that it doesn't come before the demo's own. */
const archive = async ({ ask, inboxId }: Platform, subjects: readonly string[]): Promise<void> => {
  const { data } = (await ask(`/inboxes/${inboxId}/threads`)) as {
    data: readonly { readonly id: string; readonly subject: string | null }[]
  }
  for (const { id } of data.filter(({ subject }) => subjects.some((words) => subject?.includes(words)))) {
    const body = { folder: 'archive', read: true }
    await ask(`/inboxes/${inboxId}/threads/${id}`, { method: 'PATCH', body })
  }
}

export const prepareMailbox = async (platform: Platform): Promise<void> => {
  const { ask, deliver, inboxId } = platform
  await ask(`/inboxes/${inboxId}/labels`, { method: 'POST', body: { name: EMPTY_LABEL, color: '#12A594' } })
  const first = '<0@tea.example>'
  await deliver({
    from: 'Ines Falk <ines@nightshift.example>',
    subject: LONG_TALK,
    messageId: first,
    text: 'Rooibos?',
  })
  const answers = Array.from({ length: LONG_TALK_EMAILS - 1 }, (_none, index) => index + 1)
  await Promise.all(
    answers.map((number) =>
      deliver({
        from: number % 2 === 0 ? 'Ines Falk <ines@nightshift.example>' : 'Tobias Hahn <tobias@nightshift.example>',
        subject: `Re: ${LONG_TALK}`,
        messageId: `<${number}@tea.example>`,
        inReplyTo: first,
        references: first,
        text: `Cup number ${number} was better than the one before it. Who brings the next box?`,
      }),
    ),
  )
  await deliver({
    from: 'Pier Master <pier@harbour.example>',
    subject: PAPERS,
    text: 'Everything for the inspection on Friday is attached.',
    attachments: [
      { filename: 'Opening hours of the north pier in winter.txt', content: 'Grüße vom Hafen\nHigh water at 14:20\n' },
      { filename: 'pier.png', content: drawPng(640, 400) },
      { filename: 'plan.pdf', content: SMALL_PDF },
      { filename: 'torn.pdf', content: '%PDF-1.7 and no more of it' },
      { filename: 'tides.xlsx', content: Buffer.from([0, 1, 2, 3, 4, 5, 6, 7]) },
      { filename: 'invoice.pdf.exe', content: Buffer.from('MZ and the rest of a program') },
    ],
  })
  await deliver({
    from: `Heron & Daughters <${CATALOGUE_SENDER}>`,
    subject: CATALOGUE,
    html:
      '<p>Warm coats for the pier:</p><p><img src="http://127.0.0.1:1/coat.png" alt="A blue coat" width="240" height="120"></p>' +
      '<p><img src="http://127.0.0.1:1/hat.png" alt="A hat" width="120" height="80"> <img src="cid:none@heron.example" alt="Our shop"></p>' +
      '<img src="http://127.0.0.1:1/seen.gif" width="1" height="1">',
    headers: { 'List-Unsubscribe': '<https://leave.heron.example/catalogue>, <mailto:leave@heron.example>' },
  })
  await archive(platform, [LONG_TALK, PAPERS, CATALOGUE])
}

const composer = (page: Page, name: 'New message' | 'Reply' | 'Forward'): Locator => page.getByRole('form', { name })

const write = async ({ page }: Stage, { to, subject, words }: Readonly<Record<'to' | 'subject' | 'words', string>>) => {
  await page.keyboard.press('c')
  const message = composer(page, 'New message')
  await message.getByRole('combobox', { name: 'To' }).fill(to)
  await message.getByRole('textbox', { name: 'Subject' }).fill(subject)
  await message.getByRole('textbox', { name: 'Message' }).click()
  await page.keyboard.type(words)
  return message
}

const answer = async (stage: Stage, words: string): Promise<Locator> => {
  const { page } = stage
  await openThread(stage)
  await page.getByRole('region', { name: 'Thread', exact: true }).focus()
  await page.keyboard.press('a')
  const reply = composer(page, 'Reply')
  await reply.getByRole('textbox', { name: 'Message' }).waitFor()
  await page.keyboard.type(words)
  return reply
}

/** Discards open drafts and waits to dismiss the message about it. */
const leaveWriting = async ({ page }: Stage): Promise<void> => {
  const discard = page.getByRole('button', { name: 'Discard draft' })
  for (const each of await discard.all()) await each.click()
  await page.getByRole('button', { name: 'Dismiss' }).last().click()
}

/** A suppressed address. */
const RETURNED = 'gone@harbour.example'

const RULE = 'Berths of the north pier'

const writeRule = async ({ page }: Stage, search: string): Promise<Locator> => {
  await settings(page, 'rules')
  await page.getByRole('button', { name: 'New rule' }).click()
  const asked = dialog(page, 'New rule')
  await asked.getByRole('textbox', { name: 'Name' }).fill(RULE)
  await asked.getByRole('textbox', { name: 'When new mail matches' }).fill(search)
  await asked.getByRole('radio', { name: 'Archive' }).check()
  return asked
}

const writeCannedReply = async ({ page }: Stage, name: string, words: string): Promise<Locator> => {
  await settings(page, 'canned')
  await page.getByRole('button', { name: 'New canned reply' }).click()
  const asked = dialog(page, 'New canned reply')
  await asked.getByRole('textbox', { name: 'Name' }).fill(name)
  await asked.getByRole('textbox', { name: 'Text' }).click()
  await page.keyboard.type(words)
  return asked
}

const askToLeave = async ({ page }: Stage): Promise<void> => {
  await page.keyboard.press('Escape')
  await dialog(page, 'Leave without saving?').waitFor()
}

const dropWords = async (page: Page): Promise<void> => {
  const question = dialog(page, 'Leave without saving?')
  await question.getByRole('button', { name: 'Leave' }).click()
  await question.waitFor({ state: 'hidden' })
}

const leaveCannedReply = async (stage: Stage): Promise<void> => {
  await askToLeave(stage)
  await dropWords(stage.page)
}

const CANNED = { name: 'Berth is free', words: 'Dear {first_name|customer}, your berth is free from Monday on.' }

const HARBOUR = { to: 'Ines Falk <ines@nightshift.example>', subject: 'Berth four from Monday on', words: 'Dear Ines,' }

/** Changes threads as on the platform's own page: in the dashboard or as the agent. */
const actAs =
  ({ page, platform: { baseUrl, inboxId } }: Stage) =>
  async (who: 'dashboard' | 'agent', method: string, path: string, data?: object): Promise<void> => {
    const url = `${baseUrl}/_page/as/${who}/inboxes/${inboxId}${path}`
    const answer = await page.request.fetch(url, { method, data, headers: { origin: baseUrl } })
    if (!answer.ok()) throw new Error(`${url}: ${await answer.text()}`)
  }

/** A thread with changes by others, from the log of a new webhook that nothing answers. */
const showHistory = async (stage: Stage): Promise<void> => {
  const { page, platform } = stage
  await settings(page, 'arrival')
  await page.getByRole('textbox', { name: 'Your server’s address' }).fill('http://127.0.0.1:1/hook')
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await page.getByText(/^Instant/).waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).last().click()
  await openThread(stage)
  const threadId = page.url().split('/').at(-1) ?? ''
  const thread = `/threads/${threadId}`
  const inbox = `/inboxes/${platform.inboxId}`
  const idsIn = async (path: string): Promise<readonly string[]> => {
    const { data } = (await platform.ask(path)) as { readonly data: readonly { readonly id: string }[] }
    return data.map(({ id }) => id)
  }
  const [labelId = ''] = await idsIn(`${inbox}/labels`)
  const [emailId] = (await idsIn(`${inbox}${thread}/emails`)).slice(-1)
  const act = actAs(stage)
  await act('dashboard', 'POST', `${thread}/labels`, { labels: [labelId] })
  await act('agent', 'DELETE', `${thread}/labels/${labelId}`)
  const people = { assignee_email: 'ines@nightshift.example', assigned_by_email: 'tobias@nightshift.example' }
  await act('dashboard', 'PUT', `${thread}/assignee`, people)
  const reply = { thread_id: threadId, reply_to_email_id: emailId, text: 'All of them can sign in from Monday on.' }
  await act('agent', 'POST', '/drafts', reply)
  await page.getByText('A draft is being written by the agent').scrollIntoViewIfNeeded()
}

const EVERYWHERE = 'in:anywhere'

const propose = async ({ page, platform: { ask, inboxId }, dataDirectory }: ScreenStage): Promise<void> => {
  const { data: inInbox } = (await ask(`/inboxes/${inboxId}/threads?folders=inbox&limit=20`)) as {
    data: readonly { readonly id: string }[]
  }
  const { data: labels } = (await ask(`/inboxes/${inboxId}/labels`)) as { data: readonly { readonly id: string }[] }
  const ids = inInbox.map(({ id }) => id)
  const [first = '', second = '', third = ''] = labels.map(({ id }) => id)
  const [threadId = ''] = ids
  const { data: emails } = (await ask(`/inboxes/${inboxId}/threads/${threadId}/emails`)) as {
    data: readonly { readonly id: string }[]
  }
  const target = { threadId, emailId: emails.at(-1)?.id ?? '' }
  const text =
    'Thank you for the list. All of them can sign in from Monday on; two addresses came back, which I have marked.\n\n' +
    'Shall I ask the harbour office for the missing ones?\n\nKind regards'
  await asAssistant(dataDirectory, (file) => {
    const by = { at: Date.now(), client: 'Claude Desktop', inboxId }
    file.propose({
      ...{ ...by, reason: 'These are about the same tenant, and the older label is not used any more.' },
      change: { kind: 'labels', threadIds: ids.slice(0, 14), add: [first, second], remove: [third] },
    })
    file.propose({
      ...{ ...by, reason: 'Newsletters that you have read.' },
      change: { kind: 'move', threadIds: ids.slice(2, 4), folder: 'archive' },
    })
    const reason = 'Every question in the thread is answered by the list of last week.'
    file.propose({ ...by, reason, change: { kind: 'draft', target, isToAll: true, to: [], subject: '', text } })
    const to = ['Ines Falk <ines@nightshift.example>', 'harbour office']
    const begun = { target: null, isToAll: false, to, subject: 'Berth four from Monday on', text: 'Dear Ines,\n\n…' }
    file.propose({ ...by, reason: 'You asked me to.', change: { kind: 'draft', ...begun } })
  })
  await page.getByRole('region', { name: 'Proposals' }).waitFor()
}

const leaveProposals = async ({ page, dataDirectory }: ScreenStage): Promise<void> => {
  await asAssistant(dataDirectory, (file) => {
    for (const { id } of file.openProposals()) file.decide(id, 'dismissed')
  })
  await page.getByRole('region', { name: 'Proposals' }).waitFor({ state: 'hidden' })
}

type Show = Screen['show']

/** Slow to reach, or close to another screen: only in the full walk and in screenshots. */
const RARE = new Set<string>([
  'unknown-preview',
  'picture-choices',
  'picture-senders',
  'answering-with-quote',
  'answering-with-reminder',
  'outbox-empty',
  'snoozed',
  'unsubscribe',
  'message-source-told',
  'share-links-before-any',
  'share-link-offline',
  'share-links-expired',
  'share-links-none-found',
  'person-offline',
  'all-inboxes-search',
])

/** In walking order, by file name of the screenshot. */
const BY_NAME: Readonly<Record<string, Show | Pick<Screen, 'show' | 'leave'>>> = {
  inbox: () => Promise.resolve(),
  home: async ({ page }) => {
    await page.getByRole('button', { name: 'Got it' }).click()
    await page.getByRole('region', { name: 'Waiting longest' }).waitFor()
  },
  conversation: openThread,
  'long-conversation': async (stage) => {
    await openThreadOf(stage, 'archive', LONG_TALK)
    await stage.page.getByRole('button', { name: /^\d+ earlier messages$/ }).waitFor()
  },
  bounced: openBounced,
  attachments: async (stage) => {
    await openThreadOf(stage, 'archive', PAPERS)
    await stage.page.getByRole('list', { name: 'Attachments' }).waitFor()
  },
  'picture-preview': async (stage) => {
    const preview = await openPaper(stage, 'pier.png')
    await preview.frameLocator('iframe').locator('img').waitFor()
  },
  'text-preview': async (stage) => {
    const preview = await openPaper(stage, 'Opening hours of the north pier in winter.txt')
    await preview.getByText('High water').waitFor()
  },
  'broken-preview': async (stage) => {
    const preview = await openPaper(stage, 'torn.pdf')
    await preview.getByText('This PDF is damaged').waitFor()
  },
  'unknown-preview': async (stage) => {
    const preview = await openPaper(stage, 'tides.xlsx')
    await preview.getByText('Linnet cannot show this kind of file').waitFor()
  },
  'save-what-can-run': async (stage) => {
    await openThreadOf(stage, 'archive', PAPERS)
    await stage.page.getByRole('button', { name: 'Save invoice.pdf.exe' }).click()
    await dialog(stage.page, 'Save invoice.pdf.exe?').waitFor()
  },
  'blocked-pictures': async (stage) => {
    await openCatalogue(stage)
  },
  'picture-choices': async (stage) => {
    const note = await openCatalogue(stage)
    await note.getByRole('button', { name: 'More picture options' }).click()
    await stage.page.getByRole('menu').waitFor()
  },
  'failed-pictures': { show: alwaysShowCatalogue, leave: leaveCatalogue },
  'picture-senders': {
    show: async (stage) => {
      await alwaysShowCatalogue(stage)
      await settings(stage.page, 'privacy')
      await stage.page.getByRole('list', { name: 'Always show pictures from' }).waitFor()
    },
    leave: leaveCatalogue,
  },
  'dark-mail': {
    show: async (stage) => {
      const { page } = stage
      await runByPalette(page, 'Theme: dark')
      await openThreadOf(stage, 'inbox', COLOURED)
      await page.getByRole('button', { name: 'Show as sent' }).waitFor()
    },
    leave: ({ page }) => runByPalette(page, 'Theme: system'),
  },
  'attachment-preview': async ({ page, platform: { ask } }) => {
    const { data } = (await ask('/emails/receiving?limit=100')) as {
      data: readonly { readonly id: string; readonly attachments: readonly { readonly filename: string | null }[] }[]
    }
    const email = data.find(({ attachments }) => attachments.some(({ filename }) => filename?.endsWith('.pdf')))
    await goToHash(page, `#/received/${email?.id ?? ''}`)
    await page
      .getByRole('list', { name: 'Attachments' })
      .getByRole('button', { name: /^Open .*\.pdf/ })
      .first()
      // Use the keyboard: information about the sender appears a moment later and shifts the page.
      .press('Enter')
    await dialog(page, /^Preview of/)
      .getByRole('status')
      .filter({ hasText: 'Page 1' })
      .waitFor()
  },
  'find-in-conversation': async (stage) => {
    await openThread(stage)
    await stage.page.keyboard.press('ControlOrMeta+f')
    await stage.page.keyboard.type('the')
    await stage.page.getByRole('search', { name: 'Find in thread' }).getByText(/of \d/).waitFor()
  },
  writing: {
    show: async (stage) => {
      const message = await write(stage, HARBOUR)
      const { keyboard } = stage.page
      // Long before the key: the browser is told of it only after a while.
      const choosing = stage.page.waitForEvent('filechooser')
      for (const key of ['Enter', 'Enter']) await keyboard.press(key)
      await keyboard.type('berth four is free from Monday on, **the crane** with it:')
      await keyboard.press('Enter')
      await keyboard.type('- lines from 8:00')
      await keyboard.press('Enter')
      await keyboard.type('water and power by noon')
      const data = { name: 'Berths of the north pier.pdf', mimeType: 'application/pdf', buffer: Buffer.from(SMALL_PDF) }
      await keyboard.press('ControlOrMeta+Shift+A')
      await (await choosing).setFiles(data)
      await message.getByText(data.name).waitFor()
    },
    leave: leaveWriting,
  },
  'canned-reply': {
    show: async (stage) => {
      await writeCannedReply(stage, CANNED.name, CANNED.words)
    },
    leave: leaveCannedReply,
  },
  'canned-reply-left': {
    show: async (stage) => {
      await writeCannedReply(stage, CANNED.name, CANNED.words)
      await askToLeave(stage)
    },
    leave: ({ page }) => dropWords(page),
  },
  'canned-reply-offered': {
    show: async (stage) => {
      const asked = await writeCannedReply(stage, CANNED.name, CANNED.words)
      await asked.getByRole('button', { name: 'Save' }).click()
      await asked.waitFor({ state: 'hidden' })
      await write(stage, { ...HARBOUR, words: ';ber' })
      await stage.page.getByRole('listbox', { name: 'Canned replies' }).waitFor()
    },
    leave: async (stage) => {
      await leaveWriting(stage)
      await settings(stage.page, 'canned')
      await stage.page.getByRole('button', { name: `Delete canned reply ${CANNED.name}` }).click()
      await stage.page.getByRole('button', { name: 'Dismiss' }).last().click()
    },
  },
  'template-offered': {
    show: async (stage) => {
      await write(stage, { ...HARBOUR, words: ';' })
      await stage.page.getByRole('listbox', { name: 'Canned replies' }).waitFor()
    },
    leave: leaveWriting,
  },
  rules: {
    show: async (stage) => {
      const asked = await writeRule(stage, 'subject:berth -draft')
      await asked.getByRole('button', { name: 'Save' }).click()
      await asked.waitFor({ state: 'hidden' })
      await stage.page.getByRole('heading', { name: 'Rules', level: 2 }).scrollIntoViewIfNeeded()
    },
    leave: async (stage) => {
      await stage.page.getByRole('button', { name: `Delete rule ${RULE}` }).click()
      await stage.page.getByRole('button', { name: 'Dismiss' }).last().click()
    },
  },
  rule: {
    show: async (stage) => {
      const asked = await writeRule(stage, 'from:harbour is:unread berth')
      await asked.getByRole('alert').waitFor()
    },
    leave: ({ page }) => dialog(page, 'New rule').getByRole('button', { name: 'Cancel' }).click(),
  },
  'rule-log': async ({ page }) => {
    await settings(page, 'rules')
    await page.getByRole('button', { name: 'Show log' }).click()
    await dialog(page, 'Rule log').getByText('Nothing yet.').waitFor()
  },
  answering: {
    show: async (stage) => {
      const reply = await answer(stage, 'All of them can sign in from Monday on.')
      await reply.scrollIntoViewIfNeeded()
    },
    leave: leaveWriting,
  },
  'answering-with-quote': {
    show: async (stage) => {
      const reply = await answer(stage, 'All of them can sign in from Monday on.')
      await reply.getByRole('button', { name: 'Show quoted text' }).click()
      await reply.scrollIntoViewIfNeeded()
    },
    leave: leaveWriting,
  },
  'answering-with-reminder': {
    show: async (stage) => {
      const { page } = stage
      const reply = await answer(stage, 'All of them can sign in from Monday on.')
      await page.keyboard.press('ControlOrMeta+Shift+h')
      await dialog(page, 'Remind me if no one replies')
        .getByRole('option', { name: /^In 3 days/ })
        .click()
      await reply.getByText('if no one replies').waitFor()
      await reply.scrollIntoViewIfNeeded()
    },
    leave: leaveWriting,
  },
  'answering-the-suppressed': {
    show: async (stage) => {
      const { page, platform } = stage
      await platform.ask('/suppressions', { method: 'POST', body: { email: RETURNED } })
      const message = await write(stage, { ...HARBOUR, to: RETURNED })
      await message.getByRole('note', { name: 'About the recipients' }).waitFor()
      await page.mouse.move(0, 0)
    },
    leave: async (stage) => {
      await leaveWriting(stage)
      await stage.platform.ask(`/suppressions/${RETURNED}`, { method: 'DELETE' })
    },
  },
  forwarding: {
    show: async (stage) => {
      await openThreadOf(stage, 'archive', PAPERS)
      await stage.page.getByRole('region', { name: 'Thread', exact: true }).focus()
      await stage.page.keyboard.press('f')
      const forwarded = composer(stage.page, 'Forward')
      await forwarded.getByText('plan.pdf').waitFor()
      await forwarded.getByRole('textbox', { name: 'Message' }).focus()
      await stage.page.keyboard.type('For the inspection.')
      await forwarded.scrollIntoViewIfNeeded()
    },
    leave: leaveWriting,
  },
  'asked-before-sending': {
    show: async (stage) => {
      const message = await write(stage, { ...HARBOUR, words: 'The plan is attached.' })
      await message.getByRole('button', { name: 'Send', exact: true }).click()
      await message.getByRole('group', { name: 'Before you send' }).waitFor()
    },
    leave: leaveWriting,
  },
  'faults-before-sending': {
    show: async (stage) => {
      const message = await write(stage, { ...HARBOUR, to: 'nobody' })
      await message.getByRole('button', { name: 'Send', exact: true }).click()
      await message.getByRole('alert').first().waitFor()
    },
    leave: leaveWriting,
  },
  'send-later': {
    show: async (stage) => {
      const message = await write(stage, HARBOUR)
      await message.getByRole('button', { name: 'Schedule' }).click()
      await stage.page.getByRole('dialog').waitFor()
    },
    leave: async (stage) => {
      await stage.page.keyboard.press('Escape')
      await leaveWriting(stage)
    },
  },
  drafts: {
    show: async (stage) => {
      await write(stage, HARBOUR)
      await stage.page.keyboard.press('Escape')
      await goToHash(stage.page, '#/drafts')
      await stage.page.getByRole('main').getByText(HARBOUR.subject).first().waitFor()
    },
    leave: async (stage) => {
      await stage.page.getByRole('button', { name: `Close draft “${HARBOUR.subject}”` }).click()
      await goToHash(stage.page, '#/drafts')
      await stage.page.getByRole('listbox', { name: 'Drafts' }).press('#')
      await stage.page.getByRole('button', { name: 'Dismiss' }).last().click()
    },
  },
  'draft-continued': {
    show: async (stage) => {
      await write(stage, HARBOUR)
      await stage.page.keyboard.press('Escape')
      await goToHash(stage.page, '#/drafts')
      await stage.page.getByRole('button', { name: 'Continue writing' }).click()
      await composer(stage.page, 'New message').getByRole('textbox', { name: 'Message' }).waitFor()
    },
    leave: leaveWriting,
  },
  scheduled: {
    show: async (stage) => {
      const { page } = stage
      const message = await write(stage, HARBOUR)
      await message.getByRole('button', { name: 'Schedule' }).click()
      await dialog(page, 'Send later').getByRole('combobox').fill('in 3 days')
      await page.keyboard.press('Enter')
      await goToHash(page, '#/scheduled')
      await page.getByRole('region', { name: 'Scheduled message' }).getByText(HARBOUR.words).waitFor()
    },
    leave: async (stage) => {
      await stage.page.getByRole('button', { name: 'Cancel and edit' }).click()
      await composer(stage.page, 'New message').waitFor()
      await leaveWriting(stage)
    },
  },
  outbox: {
    show: async (stage) => {
      const { page } = stage
      await goOffline(stage)
      const message = await write(stage, HARBOUR)
      await message.getByRole('button', { name: 'Send', exact: true }).click()
      await goToHash(page, '#/outbox')
      await page.getByRole('region', { name: 'Unsent message' }).getByText(HARBOUR.words).waitFor()
    },
    leave: async (stage) => {
      await stage.page.getByRole('button', { name: 'Cancel and edit' }).click()
      await composer(stage.page, 'New message').waitFor()
      await leaveWriting(stage)
      await goOnline(stage)
    },
  },
  'waiting-drafts': async ({ page, platform: { ask, inboxId } }) => {
    const { data } = (await ask(`/inboxes/${inboxId}/drafts`)) as {
      readonly data: readonly { readonly subject: string | null }[]
    }
    // A thread that no other screen replies to.
    const threads = (await ask(`/inboxes/${inboxId}/threads?folders=inbox&limit=20`)) as {
      readonly data: readonly { readonly id: string }[]
    }
    const threadId = threads.data.at(-1)?.id ?? ''
    const emails = (await ask(`/inboxes/${inboxId}/threads/${threadId}/emails`)) as {
      readonly data: readonly { readonly id: string }[]
    }
    if (!data.some(({ subject }) => subject === 'Re: Your berth')) {
      const text = 'Thank you for writing.\n\nThe berth is free from Tuesday, and the key lies at the harbour office.'
      const place = { thread_id: threadId, reply_to_email_id: emails.data.at(-1)?.id }
      await ask(`/inboxes/${inboxId}/drafts`, { method: 'POST', body: { ...place, subject: 'Re: Your berth', text } })
    }
    await goToHash(page, '#/waiting')
    await page.getByRole('region', { name: 'Draft', exact: true }).getByText('harbour office').waitFor()
  },
  'outbox-empty': async ({ page }) => {
    await goToHash(page, '#/outbox')
    await page.getByText('Nothing to send').waitFor()
  },
  selection: async ({ page }) => {
    for (const key of ['x', 'Shift+j', 'Shift+j', 'Shift+j']) await page.keyboard.press(key)
    await page.getByRole('region', { name: 'Selected threads' }).waitFor()
  },
  'selection-of-all': async ({ page }) => {
    for (const key of ['*', '*']) await page.keyboard.press(key)
    await page.getByRole('toolbar', { name: 'Selection' }).getByText('are selected').waitFor()
  },
  'label-picker': async ({ page }) => {
    for (const key of ['x', 'Shift+j', 'Shift+j', 'l']) await page.keyboard.press(key)
    await dialog(page, 'Labels').getByRole('option').first().waitFor()
    await page.keyboard.press('Space')
  },
  'label-picker-new': async ({ page }) => {
    await page.keyboard.press('l')
    await dialog(page, 'Labels').getByRole('combobox').fill('Ferry')
  },
  'assign-picker': async ({ page }) => {
    await page.keyboard.press('@')
    await dialog(page, 'Assign to').getByRole('option').nth(1).waitFor()
  },
  'who-you-are': async ({ page }) => {
    await page.keyboard.press('t')
    await dialog(page, 'Set your name').getByRole('textbox').waitFor()
  },
  'move-picker': async ({ page }) => {
    await page.keyboard.press('v')
    await dialog(page, 'Move to').getByRole('option').first().waitFor()
  },
  'snooze-picker': async ({ page }) => {
    await page.keyboard.press('h')
    await dialog(page, 'Snooze until').getByRole('option').first().waitFor()
  },
  snoozed: {
    show: async ({ page }) => {
      await page.keyboard.press('h')
      await dialog(page, 'Snooze until')
        .getByRole('option', { name: /^Tomorrow/ })
        .click()
      await page.getByRole('link', { name: /^Snoozed/ }).click()
      await rows(page).first().click()
      await page.getByRole('region', { name: 'Thread', exact: true }).getByText('Snoozed until').waitFor()
    },
    leave: async ({ page }) => {
      await page.keyboard.press('z')
      await rows(page).first().waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Dismiss' }).last().click()
    },
  },
  unsubscribe: async (stage) => {
    await openThreadOf(stage, 'archive', CATALOGUE)
    await stage.page.getByRole('article').getByRole('button', { name: 'Unsubscribe', exact: true }).click()
    await dialog(stage.page, 'Unsubscribe').getByRole('button').first().waitFor()
  },
  starred: {
    show: async ({ page }) => {
      await threads(page).focus()
      await page.keyboard.press('s')
      await page.keyboard.press('Enter')
      await page.getByRole('region', { name: 'Thread', exact: true }).getByText('Starred', { exact: true }).waitFor()
    },
    leave: async ({ page }) => {
      await page.keyboard.press('s')
      await page
        .getByRole('region', { name: 'Thread', exact: true })
        .getByText('Starred', { exact: true })
        .waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Dismiss' }).last().click()
    },
  },
  'thread-menu': async ({ page }) => {
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menu', { name: 'Thread' }).waitFor()
  },
  notice: {
    show: async ({ page }) => {
      await page.keyboard.press('Shift+u')
      await page.keyboard.press('Shift+i')
      await page
        .getByText(/^Marked “/)
        .first()
        .waitFor()
    },
    leave: async ({ page }) => {
      for (const dismiss of (await page.getByRole('button', { name: 'Dismiss' }).all()).toReversed())
        await dismiss.click()
    },
  },
  'email-menu': async (stage) => {
    await openThread(stage)
    await openEmailMenu(stage)
  },
  'message-source': async (stage) => {
    await openThread(stage)
    await openEmailMenu(stage)
    await stage.page.getByRole('menuitem', { name: 'Show source' }).click()
    const source = dialog(stage.page, 'Message source')
    await source.getByRole('searchbox', { name: 'Find in source' }).fill('received')
    await source.getByRole('search', { name: 'Find in source' }).filter({ hasText: /1 of/ }).waitFor()
  },
  'message-source-told': {
    show: async (stage) => {
      await openThreadOf(stage, 'archive', LONG_TALK)
      await goOffline(stage)
      await openEmailMenu(stage)
      await stage.page.getByRole('menuitem', { name: 'Show source' }).click()
      const source = dialog(stage.page, 'Message source')
      // In a long walk, the raw message may be stored by now; source.spec covers the case without it.
      await source
        .getByRole('button', { name: 'Try again' })
        .or(source.getByRole('region', { name: 'Headers' }))
        .waitFor()
    },
    leave: async (stage) => {
      await stage.page.keyboard.press('Escape')
      await goOnline(stage)
    },
  },
  palette: async ({ page }) => {
    await page.keyboard.press('ControlOrMeta+k')
    await dialog(page, 'Command palette').getByRole('option').first().waitFor()
  },
  'palette-typed': async ({ page }) => {
    await page.keyboard.press('ControlOrMeta+k')
    await dialog(page, 'Command palette').getByRole('combobox').fill('mar')
  },
  shortcuts: async ({ page }) => {
    await page.keyboard.press('?')
    await dialog(page, 'Keyboard shortcuts').waitFor()
  },
  'search-suggestions': async ({ page }) => {
    await type(page, 'from:m')
    await page.getByRole('listbox', { name: 'Search suggestions' }).getByRole('option').first().waitFor()
  },
  'search-results': (stage) => search(stage, `${EVERYWHERE} from:mara after:2026-01-01 rota`),
  'search-scope': async ({ page }) => {
    await page.getByRole('button', { name: /^Search scope: / }).click()
    await page.getByRole('menuitemradio').first().waitFor()
  },
  'search-explained': {
    show: async (stage) => {
      await search(stage, `${EVERYWHERE} from:mara -draft after:2026-01-01 rota`)
      await stage.page.getByRole('button', { name: 'Explain search' }).click()
      await stage.page.getByRole('region', { name: 'What is searched' }).waitFor()
    },
    leave: ({ page }) => page.getByRole('button', { name: 'Explain search' }).click(),
  },
  'search-fault': {
    show: async ({ page }) => {
      await type(page, 'fog size:rota')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
    },
    leave: async ({ page }) => {
      await page.getByRole('button', { name: 'Clear search' }).click()
    },
  },
  'search-without-a-hit': async (stage) => {
    await search(stage, 'no-letter-has-this')
    await stage.page.getByRole('button', { name: 'Also search Spam and Trash' }).waitFor()
  },
  'save-search': async (stage) => {
    await search(stage, `${EVERYWHERE} is:unread`)
    await stage.page.getByRole('button', { name: 'Save search' }).click()
    await dialog(stage.page, 'Save search').waitFor()
  },
  'split-inbox': {
    show: async ({ page }) => {
      await page.keyboard.press('Shift+T')
      await page.getByRole('tablist', { name: 'Inbox tabs' }).waitFor()
      await page.getByRole('tab', { name: /^Newsletters/ }).click()
      await rows(page).first().waitFor()
    },
    leave: async ({ page }) => {
      await threads(page).focus()
      await page.keyboard.press('Shift+T')
      await page.getByRole('tablist', { name: 'Inbox tabs' }).waitFor({ state: 'detached' })
    },
  },
  label: ({ page }) => goToLabel(page, 'Bug'),
  'label-without-threads': async ({ page }) => {
    await goToLabel(page, EMPTY_LABEL)
    await page.getByText(/Press l to add this label to a thread/).waitFor()
  },
  'new-label': async ({ page }) => {
    await page.getByRole('button', { name: 'New label' }).click()
    await dialog(page, 'New label').waitFor()
  },
  'edit-label': async ({ page }) => {
    await goToLabel(page, 'Bug')
    await runByPalette(page, 'Edit label')
    await dialog(page, 'Edit label').waitFor()
  },
  'delete-label': async ({ page }) => {
    await goToLabel(page, 'Bug')
    await runByPalette(page, 'Delete label')
    await dialog(page, /^Delete label/).waitFor()
  },
  'trash-conversation': async ({ page, platform }) => {
    await goToHash(page, `#/inboxes/${platform.inboxId}/trash`)
    await rows(page).first().click()
    await page.getByText('deleted within').first().waitFor()
  },
  'nothing-only-here': async ({ page, platform }) => {
    await goToHash(page, `#/inboxes/${platform.inboxId}/only-here`)
    await page.getByText('No mail stored only on this computer').waitFor()
  },
  'sender-checks': async (stage) => {
    await openPhishing(stage)
    await stage.page.getByRole('button', { name: 'Domain not confirmed' }).click()
    await dialog(stage.page, 'Sender checks').waitFor()
  },
  'about-the-sender': async (stage) => {
    await openPhishing(stage)
    await stage.page.getByRole('note', { name: 'About the sender' }).waitFor()
  },
  'link-line': async (stage) => {
    await openPhishing(stage)
    await stage.page.frameLocator('iframe').getByRole('link', { name: 'coínpurse.example' }).focus()
    await stage.page.locator('[data-link-line]').waitFor()
  },
  'link-question': async (stage) => {
    const { page } = stage
    await openPhishing(stage)
    await page.frameLocator('iframe').getByRole('link', { name: 'coínpurse.example' }).click()
    await dialog(page, 'Open this link?').waitFor()
  },
  export: async ({ page }) => {
    await runByPalette(page, 'Export…')
    await dialog(page, 'Export').waitFor()
  },
  'share-links-before-any': async ({ page }) => {
    await goToHash(page, '#/share-links')
    // In the full walk, earlier densities have already created some.
    await page
      .getByText('No share links')
      .or(page.getByRole('region', { name: 'Share link', exact: true }).getByRole('heading'))
      .first()
      .waitFor()
  },
  'share-link': shareNewest,
  'share-link-offline': {
    show: async (stage) => {
      await openThread(stage)
      await goOffline(stage)
      await askToShare(stage)
      await dialog(stage.page, 'Share link').getByRole('alert').waitFor()
    },
    leave: async (stage) => {
      await stage.page.keyboard.press('Escape')
      await goOnline(stage)
    },
  },
  'share-link-typed': {
    show: async (stage) => {
      await shareNewest(stage)
      const share = dialog(stage.page, 'Share link')
      await share.getByRole('radio', { name: 'Other' }).check({ force: true })
      await share.getByRole('textbox', { name: 'Duration' }).fill('3 days')
      await share.getByRole('alert').waitFor()
    },
    leave: ({ page }) => dialog(page, 'Share link').getByRole('radio', { name: '48 hours' }).check({ force: true }),
  },
  'share-link-made': makeShareLink,
  'share-links': async (stage) => {
    const { page } = stage
    await makeShareLink(stage)
    await page.keyboard.press('Escape')
    await goToHash(page, '#/share-links')
    await page
      .getByRole('region', { name: 'Share link', exact: true })
      .getByRole('button', { name: 'Copy link' })
      .waitFor()
  },
  'share-links-expired': {
    show: async (stage) => {
      const { page } = stage
      await shareNewest(stage)
      const share = dialog(page, 'Share link')
      await share.getByRole('radio', { name: 'Other' }).check({ force: true })
      await share.getByRole('textbox', { name: 'Duration' }).fill('1s')
      await share.getByRole('button', { name: 'Create link' }).click()
      await share.getByRole('textbox', { name: 'Link' }).waitFor()
      await page.keyboard.press('Escape')
      await goToHash(page, '#/share-links')
      const links = page.getByRole('listbox', { name: 'Share links' })
      // Shown times update only in steps.
      await links
        .getByText(/^Expired/)
        .first()
        .waitFor()
    },
    leave: async (stage) => {
      await shareNewest(stage)
      const share = dialog(stage.page, 'Share link')
      await share.getByRole('radio', { name: '48 hours' }).check({ force: true })
    },
  },
  'share-links-none-found': {
    show: async ({ page }) => {
      await goToHash(page, '#/share-links')
      await page.getByRole('searchbox', { name: 'Search share links' }).fill('no link has this')
      await page.getByText('No link matches').waitFor()
    },
    leave: ({ page }) => page.getByRole('button', { name: 'Clear filter' }).click(),
  },
  person: {
    show: async (stage) => {
      await openThread(stage)
      await stage.page.keyboard.press('ControlOrMeta+i')
      await panel(stage.page).getByRole('switch').first().waitFor()
    },
    leave: ({ page }) => panel(page).getByRole('button', { name: 'Hide contact' }).click(),
  },
  'person-without-a-contact': {
    show: async (stage) => {
      await openThreadOf(stage, 'archive', PAPERS)
      await stage.page.keyboard.press('ControlOrMeta+i')
      await panel(stage.page).getByText('Not a contact').waitFor()
    },
    leave: ({ page }) => panel(page).getByRole('button', { name: 'Hide contact' }).click(),
  },
  'person-offline': {
    show: async (stage) => {
      await openThread(stage)
      await goOffline(stage)
      await stage.page.keyboard.press('ControlOrMeta+i')
      const card = panel(stage.page)
      await card
        .getByText(/^Checked/)
        .or(card.getByRole('button', { name: 'Try again' }))
        .waitFor()
    },
    leave: async (stage) => {
      await panel(stage.page).getByRole('button', { name: 'Hide contact' }).click()
      await goOnline(stage)
    },
  },
  'add-contact': {
    show: async (stage) => {
      await goToHash(stage.page, `#/inboxes/${stage.platform.inboxId}/spam`)
      await rows(stage.page).first().click()
      await stage.page.keyboard.press('ControlOrMeta+i')
      await panel(stage.page).getByRole('button', { name: 'Add contact', exact: true }).click()
      await dialog(stage.page, 'Add contact').waitFor()
    },
    leave: async ({ page }) => {
      await page.keyboard.press('Escape')
      await panel(page).getByRole('button', { name: 'Hide contact' }).click()
    },
  },
  'edit-contact': async ({ page }) => {
    await firstOf(page, '#/contacts', 'Contacts')
    await page.getByRole('region', { name: 'Contact', exact: true }).getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Shift+E')
    await dialog(page, 'Edit contact').getByRole('button', { name: 'New property' }).click()
    await dialog(page, 'Edit contact').getByLabel('Property name').waitFor()
  },
  'contact-segments': async ({ page }) => {
    await firstOf(page, '#/contacts', 'Contacts')
    await page.getByRole('listbox', { name: 'Contacts' }).focus()
    await page.keyboard.press('l')
    await dialog(page, 'Segments').getByRole('button', { name: 'Create' }).waitFor()
  },
  'contact-import': async ({ page }) => {
    await firstOf(page, '#/contacts', 'Contacts')
    const chosen = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Import contacts' }).click()
    await (await chosen).setFiles({ name: 'guests.csv', mimeType: 'text/csv', buffer: Buffer.from(GUESTS) })
    await dialog(page, 'Import contacts').getByRole('list', { name: 'Skipped lines' }).waitFor()
  },
  topics: async ({ page }) => {
    await firstOf(page, '#/contacts', 'Contacts')
    await page.getByRole('button', { name: 'Topics', exact: true }).click()
    await dialog(page, 'Topics').getByRole('listitem').first().waitFor()
  },
  'new-topic': {
    show: async ({ page }) => {
      await firstOf(page, '#/contacts', 'Contacts')
      await page.getByRole('button', { name: 'Topics', exact: true }).click()
      await dialog(page, 'Topics').getByRole('button', { name: 'New topic…' }).click()
      await dialog(page, 'New topic').getByLabel('Name').waitFor()
    },
    leave: async ({ page }) => {
      await page.keyboard.press('Escape')
      await dialog(page, 'New topic').waitFor({ state: 'hidden' })
      await page.keyboard.press('Escape')
    },
  },
  'delete-topic': {
    show: async ({ page }) => {
      await firstOf(page, '#/contacts', 'Contacts')
      await page.getByRole('button', { name: 'Topics', exact: true }).click()
      await dialog(page, 'Topics')
        .getByRole('button', { name: /^Delete / })
        .first()
        .click()
      await dialog(page, /^Delete topic/)
        .getByRole('button', { name: 'Cancel' })
        .waitFor()
    },
    leave: async ({ page }) => {
      await page.keyboard.press('Escape')
      await dialog(page, /^Delete topic/).waitFor({ state: 'hidden' })
      await page.keyboard.press('Escape')
    },
  },
  'topics-of-contacts': {
    show: async ({ page }) => {
      await goToHash(page, '#/contacts')
      await page.getByRole('listbox', { name: 'Contacts' }).focus()
      await page.keyboard.press('x')
      await page.keyboard.press('Shift+ArrowDown')
      await page.keyboard.press('t')
      await dialog(page, 'Contact topics').getByRole('listitem').first().waitFor()
    },
    leave: async ({ page }) => {
      await page.keyboard.press('Escape')
      await dialog(page, 'Contact topics').waitFor({ state: 'hidden' })
      await page.keyboard.press('Escape')
    },
  },
  'contacts-selected': {
    show: async ({ page }) => {
      await goToHash(page, '#/contacts')
      await page.getByRole('listbox', { name: 'Contacts' }).focus()
      await page.keyboard.press('x')
      await page.keyboard.press('Shift+ArrowDown')
      await page.getByRole('toolbar', { name: 'Selection' }).waitFor()
    },
    leave: ({ page }) => page.keyboard.press('Escape'),
  },
  'person-over-the-mail': {
    show: async (stage) => {
      await stage.page.setViewportSize({ width: 900, height: 600 })
      await openThread(stage)
      await stage.page.keyboard.press('ControlOrMeta+i')
      await panel(stage.page).getByRole('switch').first().waitFor()
    },
    leave: ({ page }) => page.setViewportSize({ width: 1440, height: 900 }),
  },
  contacts: async ({ page }) => {
    await firstOf(page, '#/contacts', 'Contacts')
    await page.getByRole('switch').first().waitFor()
  },
  'contacts-filtered': {
    show: async ({ page }) => {
      await goToHash(page, '#/contacts')
      await page.getByRole('searchbox', { name: 'Filter contacts' }).fill('mara')
      await page.getByRole('listbox', { name: 'Contacts' }).getByRole('option').first().waitFor()
    },
    leave: ({ page }) => page.getByRole('button', { name: 'Clear filter' }).click(),
  },
  'contacts-none-found': {
    show: async ({ page }) => {
      await goToHash(page, '#/contacts')
      await page.getByRole('searchbox', { name: 'Filter contacts' }).fill('nobody like this')
      await page.getByText('No contact matches').waitFor()
    },
    leave: ({ page }) => page.getByRole('button', { name: 'Clear filter' }).click(),
  },
  'contacts-choice': async ({ page }) => {
    await goToHash(page, '#/contacts')
    await page.getByRole('button', { name: 'Newest first' }).click()
    await page.getByRole('menuitemradio').first().waitFor()
  },
  received: async ({ page }) => {
    await firstOf(page, '#/received', 'Received messages')
    await page.getByRole('region', { name: 'Received message' }).getByRole('article').waitFor()
  },
  sent: async ({ page }) => {
    await firstOf(page, '#/sent', 'Sent messages')
    await page.getByRole('region', { name: 'Sent message' }).getByRole('article').waitFor()
  },
  settings: ({ page }) => settings(page, 'appearance'),
  'settings-notifications': ({ page }) => settings(page, 'notifications'),
  'settings-reading': ({ page }) => settings(page, 'reading'),
  'settings-search': async ({ page }) => {
    await settings(page)
    await page.getByRole('searchbox', { name: 'Search settings' }).fill('mail')
    await page.getByRole('list', { name: 'Settings found' }).waitFor()
  },
  about: async ({ page }) => {
    await runByPalette(page, 'About Linnet')
    await dialog(page, 'About Linnet').getByRole('term').last().waitFor()
  },
  'connection-test': async ({ page }) => {
    await runByPalette(page, 'Test the connection')
    await dialog(page, 'Test the connection').getByText('Everything works.').waitFor()
  },
  agent: async ({ page }) => {
    await settings(page, 'agent')
    await page
      .getByRole('button', { name: /^Edit agent for/ })
      .first()
      .click()
    await dialog(page, 'Inbox agent').getByRole('textbox', { name: 'Instructions' }).waitFor()
  },
  'settings-assistants': {
    show: async ({ page, platform: { inboxId }, dataDirectory }) => {
      await settings(page, 'assistants')
      const call = { at: Date.now(), client: 'Claude Desktop', isRefused: false }
      const wanted =
        '{"query":"from:ines@nightshift.example after:2026-01-01 berth -draft","limit":20,"folder":"inbox"}'
      await asAssistant(dataDirectory, (file) => {
        file.setAccess({
          folders: [
            { inboxId, folder: 'inbox' },
            { inboxId, folder: 'archive' },
          ],
          lists: ['contacts'],
        })
        file.note({ ...call, tool: 'list_inboxes', asked: '{}', answer: '1 inbox' })
        file.note({ ...call, tool: 'search_mail', asked: wanted, answer: '12 threads' })
        file.note({
          ...call,
          tool: 'read_thread',
          asked: '{"thread":"7f3a"}',
          answer: 'Spam is not turned on.',
          isRefused: true,
        })
      })
      await page.getByText('12 threads').waitFor()
      await page.getByRole('heading', { name: /^Assistant apps/ }).evaluate((heading) => heading.scrollIntoView())
    },
    leave: async ({ page, dataDirectory }) => {
      await asAssistant(dataDirectory, (file) => {
        file.setAccess(NO_ASSISTANT_ACCESS)
        file.clearCalls()
      })
      await page.getByText('12 threads').waitFor({ state: 'hidden' })
    },
  },
  proposals: { show: propose, leave: leaveProposals },
  'reviewing-proposals': {
    show: async (stage) => {
      await propose(stage)
      await stage.page.getByRole('button', { name: 'Review…' }).click()
      await dialog(stage.page, 'Assistant proposals').getByText('and 9 more').waitFor()
    },
    leave: async (stage) => {
      await stage.page.keyboard.press('Escape')
      await leaveProposals(stage)
    },
  },
  'reviewing-messages': {
    show: async (stage) => {
      await propose(stage)
      await stage.page.getByRole('button', { name: 'Review…' }).click()
      const review = dialog(stage.page, 'Assistant proposals')
      await review.getByText('Subject').last().waitFor()
      await review.getByRole('button', { name: 'Write…' }).last().scrollIntoViewIfNeeded()
    },
    leave: async (stage) => {
      await stage.page.keyboard.press('Escape')
      await leaveProposals(stage)
    },
  },
  'settings-new-mail': async ({ page }) => {
    await settings(page, 'arrival')
    await page.getByRole('button', { name: 'Create webhook' }).waitFor()
  },
  history: {
    show: showHistory,
    leave: async ({ platform: { ask, inboxId } }) => {
      for (const path of ['/webhooks', `/inboxes/${inboxId}/drafts`]) {
        const { data } = (await ask(path)) as { readonly data: readonly { readonly id: string }[] }
        await ask(`${path}/${data[0]?.id ?? ''}`, { method: 'DELETE' })
      }
    },
  },
  'settings-usage': async ({ page }) => {
    await settings(page, 'usage')
    await page.getByText('As of').first().waitFor()
  },
  'settings-answers': async ({ page }) => {
    await settings(page, 'answers')
    await page.getByRole('button', { name: 'Calculate reply times' }).click()
    await page.getByRole('term').getByText('Longest wait').first().waitFor()
  },
  'new-inbox': async ({ page }) => {
    await settings(page, 'inboxes')
    await page.getByRole('button', { name: 'New inbox…' }).click()
    const made = dialog(page, 'New inbox')
    await made.getByRole('textbox', { name: 'Address' }).fill('harbour')
    await made.getByRole('button', { name: 'Create inbox' }).click()
    await made.getByRole('alert').waitFor()
  },
  'delete-inbox': async ({ page }) => {
    await settings(page, 'inboxes')
    await page
      .getByRole('region', { name: 'Inboxes' })
      .getByRole('button', { name: /^Delete/ })
      .first()
      .click()
    await dialog(page, 'Delete inbox').waitFor()
  },
  'settings-kept-mail': async ({ page }) => {
    await settings(page, 'kept')
    await page.getByRole('group', { name: 'Mail to store' }).waitFor()
  },
  'settings-backup': async ({ page }) => {
    await settings(page, 'backup')
    await page.getByRole('textbox', { name: 'Backup folder' }).fill('/media/harbour/backups')
    await page.getByRole('button', { name: 'Back up now' }).click()
    await page.getByText('There is no folder /media/harbour/backups').waitFor()
  },
  'restore-backup': async ({ page }) => {
    await settings(page)
    await page.getByRole('button', { name: 'Add account…' }).click()
    const adding = dialog(page, 'Add account')
    await adding.getByRole('button', { name: 'Restore from a backup…' }).click()
    await adding.getByRole('textbox', { name: 'Backup folder' }).fill('/media/harbour/backups')
    await adding.getByRole('button', { name: 'Restore backup', exact: true }).click()
    await adding.getByText('There is no backup in').waitFor()
  },
  'settings-keys': async ({ page }) => {
    await settings(page, 'keyboard')
    await page.getByRole('button', { name: 'Change keys for Archive' }).click()
    await page.keyboard.press('j')
    await page.getByRole('alert').waitFor()
  },
  'clear-mail': async ({ page }) => {
    await settings(page, 'data')
    await page.getByRole('button', { name: 'Clear downloaded mail…' }).click()
    await dialog(page, 'Clear downloaded mail').waitFor()
  },
  'reading-pane-below': {
    show: async (stage) => {
      await runByPalette(stage.page, 'Reading pane: below')
      await openThread(stage)
    },
    leave: ({ page }) => runByPalette(page, 'Reading pane: right'),
  },
  'reading-pane-off': {
    show: async (stage) => {
      await runByPalette(stage.page, 'Reading pane: off')
      await openThread(stage)
    },
    leave: ({ page }) => runByPalette(page, 'Reading pane: right'),
  },
  'two-accounts': withTwoAccounts,
  'account-menu': async (stage) => {
    await withTwoAccounts(stage)
    await stage.page.getByRole('button', { name: 'Switch account or inbox' }).click()
    await stage.page.getByRole('menuitemradio').nth(1).waitFor()
  },
  'all-inboxes': {
    show: async (stage) => {
      await withTwoAccounts(stage)
      await goToHash(stage.page, ALL_INBOXES)
      await rows(stage.page).nth(3).waitFor()
      await rows(stage.page).nth(1).click()
      await stage.page.getByRole('region', { name: 'Thread', exact: true }).locator('article').first().waitFor()
    },
    leave: leaveAllInboxes,
  },
  'all-inboxes-search': {
    show: async (stage) => {
      await withTwoAccounts(stage)
      await goToHash(stage.page, `${ALL_INBOXES.replace(/inbox$/, 'search')}?query=has%3Aattachment`)
      await rows(stage.page).nth(1).waitFor()
    },
    leave: leaveAllInboxes,
  },
  'settings-accounts': async (stage) => {
    await withTwoAccounts(stage)
    await settings(stage.page)
  },
  'add-account': async (stage) => {
    await withTwoAccounts(stage)
    await openAccountDialog(stage.page, 'Add account…', 'Add account')
  },
  'edit-account': async (stage) => {
    await withTwoAccounts(stage)
    await openAccountDialog(stage.page, 'Edit…', 'Edit account')
    await stage.page
      .getByRole('textbox', { name: 'Name' })
      .fill('A name that is longer than any list has room for '.repeat(2))
    await stage.page.getByRole('alert').waitFor()
  },
  'remove-account': {
    show: async (stage) => {
      await withTwoAccounts(stage)
      await openAccountDialog(stage.page, 'Remove…', 'Remove account')
      await dialog(stage.page, 'Remove account')
        .getByText(/\d [KM]B$/)
        .waitFor()
    },
    leave: leaveSecondAccount,
  },
}

export const SCREENS: readonly Screen[] = Object.entries(BY_NAME).map(([name, screen]) => ({
  ...{ name, isRare: RARE.has(name) },
  ...(typeof screen === 'function' ? { show: screen } : screen),
}))

export const screenNamed = (name: string): Screen => {
  const found = SCREENS.find((each) => each.name === name)
  if (found === undefined) throw new Error(`There is no screen "${name}".`)
  return found
}

/** Archives a conversation while the platform is down. Not in `SCREENS`: leaving it takes a minute. */
export const OFFLINE: Screen = {
  name: 'offline',
  show: async (stage) => {
    await screenNamed('conversation').show(stage)
    await stage.platform.pause()
    await stage.page.keyboard.press('e')
    await stage.page.getByText('Offline').first().waitFor({ timeout: 60_000 })
  },
  leave: async ({ page, platform }) => {
    await platform.resume()
    await page.keyboard.press('F5')
    await page.getByRole('status').getByText('Online').waitFor({ timeout: 60_000 })
    await page.keyboard.press('z')
    await page.getByRole('button', { name: 'Redo' }).waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).last().click()
  },
}
