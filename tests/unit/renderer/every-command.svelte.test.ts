// @vitest-environment jsdom
import { MENU_COMMANDS } from '../../../src/main/menu-bar.ts'
import { afterEach, describe, expect, it, vi, type MockInstance } from 'vitest'
import { COMMANDS } from '../../../src/renderer/app/commands.ts'
import { DisplayedMail } from '../../../src/renderer/features/bodies/displayed-mail.svelte.ts'
import type { BodyOwner } from '../../../src/shared/contract.ts'
import type { SyncStatus, Thread } from '../../../src/shared/model.ts'
import type { Draft, DraftSummary } from '../../../src/shared/drafts.ts'
import type { ListOrder } from '../../../src/shared/list-order.ts'
import { SETTINGS } from '../../../src/shared/preferences.ts'
import type { Problem } from '../../../src/shared/result.ts'
import { NOTHING_ELSEWHERE } from '../../../src/renderer/features/writing/open-composer.svelte.ts'
import { createEmptyContent } from '../../../src/renderer/features/writing/draft-content.ts'
import { listenForKeys } from '../../../src/renderer/kernel/listen-for-keys.ts'
import type { Route } from '../../../src/renderer/kernel/route.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { fixtureEmails, fixtureReceived, fixtureThreads, INBOX } from './support/fixture-mail.ts'
import { inbox, openWindow, type OpenWindow } from './support/open-window.ts'
import type { FixtureHandlers } from './support/fixture-transport.ts'
import { strike } from './support/strike.ts'
import { SYNCED_DRAFT } from './support/synced-draft.ts'
import { until } from './support/until.ts'

interface Trial {
  readonly at: Route
  /** Overrides of the fixture's handlers. */
  readonly handlers?: FixtureHandlers
  readonly before?: (opened: OpenWindow) => void | Promise<void>
  /** True once the command has taken effect. */
  readonly done: (opened: OpenWindow) => boolean
}

/** Replaces the system's file picker. */
const choosesFile = vi.fn<(this: HTMLInputElement) => void>()

const folder = (name: 'archive' | 'spam' | 'sent' | 'trash'): Route => ({
  view: 'folder',
  inboxId: INBOX.id,
  folder: name,
  threadId: null,
})
const search = (query: string): Route => ({ view: 'search', inboxId: INBOX.id, query, threadId: null })

const isAt =
  (wanted: Partial<Record<string, unknown>>) =>
  ({ shell }: OpenWindow): boolean =>
    Object.entries(wanted).every(([key, value]) => shell.route.current[key as keyof Route] === value)

/** True if the engine received exactly this change. */
const isChanged =
  (threadId: string, change: Readonly<Record<string, unknown>>) =>
  ({ called }: OpenWindow): boolean => {
    const asked = called('thread.change') as readonly {
      readonly threadIds: readonly string[]
      readonly change: Readonly<Record<string, unknown>>
    }[]
    const given = asked.map((each) => ({
      threadIds: each.threadIds,
      change: Object.fromEntries(Object.entries(each.change).filter(([, value]) => value !== undefined)),
    }))
    return JSON.stringify(given) === JSON.stringify([{ threadIds: [threadId], change }])
  }

const LIVE = { state: 'live', at: 0 } as const
const ONE_PAGE = { offset: 0, total: 1, hasMore: false, freshness: { state: 'live', at: 0 }, searched: null } as const
const [LISTED] = fixtureThreads(1) as readonly [Thread]
/** A thread whose last e-mail came through a mailing list that takes the replies. */
const LIST_THREAD = {
  ...{ thread: LISTED, freshness: { state: 'live', at: 0 } as const },
  emails: fixtureEmails(LISTED)
    .slice(0, 1)
    .map((email) => ({
      ...email,
      ...{ from: 'Ada Quill <ada@quill.example>', to: ['crew@lists.example'], replyTo: ['Crew <crew@lists.example>'] },
    })),
}
const TWO_FILES = ['tides.csv', 'moon.csv'].map((filename) => ({
  ...{ id: filename, filename, size: 5, contentType: 'text/csv', contentId: null },
}))
/** One-row lists of mail that is no longer on the platform. */
const KEPT_PAGE = { ...ONE_PAGE, items: fixtureThreads(1).map((each) => ({ ...each, onServer: false, match: null })) }
const KEPT_EMAILS = {
  ...ONE_PAGE,
  items: fixtureReceived(1).map((each) => ({ ...each, onServer: false, excerpt: null, inThread: null })),
}

/** A sign-in page at an IP address, which needs confirmation like any such link. */
const BEHIND_SIGN_IN: SyncStatus = {
  ...{ connection: 'offline', progress: null, lastSyncAt: 1, waitingUntil: null, pendingChanges: 0 },
  confirmedAt: { inboxes: null, received: null, sent: null, contacts: null, threads: {} },
  ...{ problem: 'This network wants you to sign in first.', signInPage: 'http://10.0.0.1/login' },
}

const BEHIND_PROXY: SyncStatus = {
  ...{ connection: 'offline', progress: null, lastSyncAt: 1, waitingUntil: null, pendingChanges: 0 },
  confirmedAt: { inboxes: null, received: null, sent: null, contacts: null, threads: {} },
  problem: 'The proxy http://proxy.example:8080 requires a name and password.',
  proxyNeedingLogin: { address: 'http://proxy.example:8080', name: null },
}

const LISTED_DRAFT: DraftSummary = {
  ...{ id: 'draft-1', inboxId: INBOX.id, kind: 'new', target: null, to: [], subject: 'Ropes', snippet: '' },
  ...SYNCED_DRAFT,
  state: { kind: 'open' },
}

const WAITING_DRAFT: DraftSummary = { ...LISTED_DRAFT, kind: 'reply', isOurs: false }
const READ_DRAFT: Draft = {
  ...{ ...WAITING_DRAFT, original: null, revision: 0, theirs: null, remindAt: null },
  content: {
    ...createEmptyContent(),
    ...{ to: [{ name: null, address: 'ada@quill.example' }], subject: 'Ropes', format: 'plain', text: 'Two are left.' },
  },
}

/** True if exactly one draft was created, and it is of this kind. */
const isBegun =
  (kind: string) =>
  ({ called }: OpenWindow): boolean => {
    const begun = called('draft.create') as readonly { readonly kind: string }[]
    return begun.length === 1 && begun[0]?.kind === kind
  }

const firstRow = ({ session }: OpenWindow): string | undefined => session.threads.rows?.at(0)?.id

const isSorted =
  (order: ListOrder) =>
  ({ session, shell }: OpenWindow): boolean => {
    const { inbox: kept = 'newest' } = shell.preferences.values.listOrders
    return kept === order && session.threads.rows?.order === order
  }

const areSelected =
  (...ids: readonly string[]) =>
  ({ session }: OpenWindow): boolean =>
    JSON.stringify(session.threads.selection.chosen?.threads.map(({ id }) => id) ?? []) === JSON.stringify(ids)

/** The reader with three e-mails, showing 400 of 2,000 pixels. */
const showEmails = ({ session }: OpenWindow): void => {
  document.body.innerHTML = `<div tabindex="0">${'<article tabindex="-1"><button aria-expanded="false"></button></article>'.repeat(3)}</div>`
  const scroller = document.querySelector('div')
  if (scroller === null) throw new Error('there is one')
  let scrollTop = 1000
  Object.defineProperties(scroller, {
    clientHeight: { value: 400 },
    scrollTop: { get: () => scrollTop },
    scrollBy: { value: ({ top }: { top: number }) => (scrollTop += top) },
  })
  for (const article of scroller.querySelectorAll('article')) article.scrollIntoView = () => undefined
  for (const button of scroller.querySelectorAll('button')) {
    button.addEventListener('click', () => button.setAttribute('aria-expanded', 'true'))
  }
  session.reading.attach(scroller)
}
const scrolledTo = (): number => document.querySelector('div')?.scrollTop ?? 0
const emailInFocus = (): number => [...document.querySelectorAll('article')].indexOf(document.activeElement as never)

const COLOURED: BodyOwner = { list: 'threads', inboxId: INBOX.id, threadId: 'thread-0', emailId: 'thread-0-email-0' }
const drawMail = ({ shell, session }: OpenWindow, of: BodyOwner, addresses: readonly string[] = []): DisplayedMail => {
  const mail = new DisplayedMail(shell.backend, of, addresses)
  session.mailDisplay.open(mail)
  return mail
}
const drawColoured = async (opened: OpenWindow): Promise<void> => {
  const mail = drawMail(opened, COLOURED)
  mail.isDark = false
  await until(() => mail.policy !== null)
}

const isPageDrawn = (): boolean => document.querySelector('iframe[title="Print"]') !== null
/** A desktop host, which can print and zoom. jsdom can't write the shadow roots of what is printed. */
const onDesktop = (): void => {
  vi.stubGlobal('linnet', {})
  vi.spyOn(HTMLIFrameElement.prototype, 'contentDocument', 'get').mockReturnValue(null)
}
const isPrinted = ({ called }: OpenWindow): boolean => called('print.run').length === 1

const focusRows = (): void => {
  document.body.innerHTML = '<main><div role="listbox" tabindex="0"></div></main>'
  document.querySelector<HTMLElement>('[role="listbox"]')?.focus()
}

const splitWithFocus = async ({ shell }: OpenWindow): Promise<void> => {
  await shell.preferences.choose({ splitInbox: true })
  focusRows()
}

/** The last clipboard text; jsdom has no clipboard. */
let onClipboard = ''
const watchClipboard = (): void => {
  onClipboard = ''
  const writeText = (text: string): Promise<void> => {
    onClipboard = text
    return Promise.resolve()
  }
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } })
}
const copied = (): string => onClipboard

/** The last call to the visible composer. */
let inComposer = ''
const ofComposer =
  (name: string) =>
  (...given: readonly unknown[]): void =>
    void (inComposer = [name, ...given].join(' '))

const composerTrial = (asked: string): Trial => ({
  at: inbox('thread-0'),
  handlers: {
    'draft.open': ({ draftId }) => ({
      ...{ id: draftId, inboxId: INBOX.id, kind: 'new', target: null, to: [], subject: '', snippet: '', files: 0 },
      ...{
        state: { kind: 'open' },
        updatedAt: 1,
        isOurs: true,
        isSynced: true,
        hasConflict: false,
        notKept: null,
        upload: null,
      },
      ...{ content: createEmptyContent(), original: null, revision: 0, remindAt: null, theirs: null },
    }),
  },
  before: async ({ session }) => {
    inComposer = ''
    await session.writing.start(INBOX.id)
    const { active } = session.writing.composers
    if (active === null) throw new Error('it was begun')
    active.form = {
      ...{ hasFocus: true, canArchive: true, inboxes: [1, 2], place: 'pane' },
      editing: { fields: { format: 'rich', quote: {} }, setFormat: ofComposer('format') },
      ...{ send: ofComposer('send'), show: ofComposer('show'), toggleBar: ofComposer('formatting') },
      pickCannedReply: ofComposer('canned reply'),
      set isQuoteShown(_isShown: boolean) {
        inComposer = 'quote'
      },
      ...{ attach: ofComposer('attach'), remind: ofComposer('remind') },
      ...{ discard: ofComposer('discard'), widen: ofComposer('widen'), openWindow: ofComposer('window') },
    } as never
  },
  done: () => inComposer === asked,
})

let choosing: MockInstance<() => void> | null = null

const SINGLE_TRIALS: Readonly<Record<string, Trial>> = {
  'reader.foldEmail': {
    at: inbox('thread-0'),
    before: (opened) => {
      showEmails(opened)
      document.querySelector('article')?.focus()
    },
    done: () => document.querySelector('article button')?.getAttribute('aria-expanded') === 'true',
  },
  'reader.nextEmail': {
    at: inbox('thread-0'),
    before: (opened) => {
      showEmails(opened)
      document.querySelector('article')?.focus()
    },
    done: () => emailInFocus() === 1,
  },
  'reader.previousEmail': {
    at: inbox('thread-0'),
    before: (opened) => {
      showEmails(opened)
      document.querySelectorAll('article')[2]?.focus()
    },
    done: () => emailInFocus() === 1,
  },
  'reader.showPictures': {
    at: inbox('thread-0'),
    before: async (opened) => {
      const mail = drawMail(opened, { list: 'received', emailId: 'a' }, ['https://pictures.example/a.png'])
      await until(() => mail.policy !== null)
    },
    done: ({ called }) => called('picture.read').length === 1,
  },
  'reader.find': { at: inbox('thread-0'), done: ({ session }) => session.find.isOpenIn('thread-0') },
  'reader.on': { at: inbox('thread-0'), before: showEmails, done: () => scrolledTo() === 1360 },
  'reader.back': { at: inbox('thread-0'), before: showEmails, done: () => scrolledTo() === 640 },
  'reader.pageDown': { at: inbox('thread-0'), before: showEmails, done: () => scrolledTo() === 1360 },
  'reader.pageUp': { at: inbox('thread-0'), before: showEmails, done: () => scrolledTo() === 640 },
  'link.copyThread': {
    at: inbox('thread-0'),
    before: watchClipboard,
    done: () => copied() === `linnet://thread/${INBOX.id}/thread-0`,
  },
  'link.copySearch': {
    at: search('fog & mist'),
    before: watchClipboard,
    done: () => copied() === `linnet://search?query=fog%20%26%20mist&inbox=${INBOX.id}`,
  },
  'window.new': {
    at: inbox(null),
    before: () => void vi.stubGlobal('linnet', {}),
    done: ({ called }) => JSON.stringify(called('window.open')) === '[{"address":""}]',
  },
  'window.thread': {
    at: inbox('thread-0'),
    before: () => void vi.stubGlobal('linnet', {}),
    done: ({ called }) => JSON.stringify(called('window.open')).includes('thread-0"}'),
  },
  'email.unsubscribe': {
    at: inbox('thread-0'),
    handlers: {
      'unsubscribe.of': () => ({
        ways: [{ kind: 'page', url: 'https://quill.example/u' }],
        ...{ sender: 'verified', recipient: null, last: null },
      }),
    },
    before: ({ session }) => {
      for (const { id: emailId } of session.conversation.conversation?.emails ?? []) {
        session.unsubscribe.show({ ...COLOURED, emailId })
      }
      return until(() => session.unsubscribe.offerOf(COLOURED) !== null)
    },
    done: ({ session }) => session.unsubscribe.question !== null,
  },
  'email.source': {
    at: inbox('thread-0'),
    done: ({ session }) => (session.messageSource.shown?.source ?? null) !== null,
  },
  'email.saveOriginal': { at: inbox('thread-0'), done: ({ called }) => called('original.save').length === 1 },
  'email.saveAttachments': {
    at: inbox('thread-0'),
    handlers: {
      'thread.open': () => ({
        ...LIST_THREAD,
        emails: LIST_THREAD.emails.map((email) => ({ ...email, attachments: TWO_FILES })),
      }),
      'attachment.open': () => ({ bytes: 5, pieces: 1, version: 'v1', look: null, risk: null }),
      'attachment.saveAll': () => ({ kind: 'saved', path: '/home/ann' }) as const,
    },
    done: ({ called }) => called('attachment.open').length === 2 && called('attachment.saveAll').length === 1,
  },
  'email.savePicture': {
    at: inbox('thread-0'),
    before: (opened) => {
      const emailId = opened.session.conversation.conversation?.emails.at(-1)?.id ?? ''
      drawMail(opened, { ...COLOURED, emailId }).drawn = [{ url: 'cid:chart', src: 'blob:chart', name: 'Chart' }]
    },
    done: ({ called }) => called('picture.save').length === 1,
  },
  'person.toggle': { at: inbox('thread-0'), done: ({ session }) => session.person.isSheetOpen },
  'person.close': {
    at: inbox('thread-0'),
    before: ({ session }) => {
      session.person.showSheet(true)
    },
    done: ({ session }) => !session.person.isSheetOpen,
  },
  'person.removeSuppression': {
    at: inbox('thread-0'),
    handlers: {
      'person.get': ({ address }) => ({
        ...{ address, contact: null, contactsFreshness: LIVE, contactId: address, topics: null, segments: null },
        ...{ threads: [], sent: [], mail: { threads: null, received: null, sent: null, isAll: true } },
        suppressed: {
          ...{ address, suppression: { origin: 'bounce', since: 0, sourceId: null }, freshness: LIVE },
          ...{ isWaiting: false, returned: null },
        },
      }),
    },
    before: ({ session }) => {
      session.person.show('Eve <eve@pier.example>')
      return until(() => session.person.shown !== null)
    },
    done: ({ session }) => session.questions.asked?.details?.[0]?.includes('eve@pier.example') === true,
  },
  'email.asText': {
    at: inbox('thread-1'),
    done: ({ session }) =>
      session.conversation.conversation?.emails.some(({ id, threadId }) =>
        session.mailDisplay.isAsText({ list: 'threads', inboxId: INBOX.id, threadId, emailId: id }),
      ) === true,
  },
  'email.dark': {
    at: inbox('thread-0'),
    before: drawColoured,
    done: ({ session }) => session.mailDisplay.isChosenDark(COLOURED) === true,
  },
  'email.darkAlways': {
    at: inbox('thread-0'),
    before: async (opened) => {
      await opened.shell.preferences.choose({ darkMail: 'as-sent' })
      await drawColoured(opened)
    },
    done: ({ called }) =>
      JSON.stringify(called('senderChoice.set')) ===
      JSON.stringify([{ about: 'dark', who: 'sender', name: 'ada@quill.example', isOn: true }]),
  },
  'email.print': { at: inbox('thread-0'), done: isPageDrawn },
  'email.printPreview': {
    at: inbox('thread-0'),
    before: onDesktop,
    done: ({ session }) => session.printPreview.emails?.length === 1,
  },
  'conversation.printPreview': {
    at: inbox('thread-0'),
    before: onDesktop,
    done: ({ session }) => (session.printPreview.emails?.length ?? 0) > 0,
  },
  'email.pdf': { at: inbox('thread-0'), before: onDesktop, done: isPrinted },
  'conversation.print': { at: inbox('thread-0'), done: isPageDrawn },
  'conversation.pdf': { at: inbox('thread-0'), before: onDesktop, done: isPrinted },
  'reader.share': { at: inbox('thread-0'), done: ({ session }) => session.shareLink.email !== null },
  'go.onlyHere': { at: inbox(null), done: isAt({ view: 'localOnly' }) },
  'go.starred': { at: inbox(null), done: isAt({ view: 'search', query: 'is:starred' }) },
  'go.snoozed': { at: inbox(null), done: isAt({ view: 'search', query: 'in:snoozed' }) },
  'export.open': { at: inbox(null), done: ({ session }) => session.exports.isOpen && session.exports.isList },
  'export.contacts': { at: inbox(null), done: ({ called }) => called('contact.export').length === 1 },
  'go.drafts': { at: inbox(null), done: isAt({ view: 'drafts' }) },
  'go.waiting': { at: inbox(null), done: isAt({ view: 'waiting' }) },
  'writing.approve': {
    at: { view: 'waiting', id: null },
    handlers: {
      'draft.list': () => [WAITING_DRAFT],
      'draft.open': () => READ_DRAFT,
      'draft.elsewhere': () => NOTHING_ELSEWHERE,
    },
    before: ({ session: { writing } }) => {
      writing.displayed.show(WAITING_DRAFT.id)
      return until(() => writing.displayed.canApprove)
    },
    done: ({ called }) => called('draft.send').length === 1,
  },
  'writing.continue': {
    at: { view: 'drafts', id: null },
    handlers: { 'draft.list': () => [LISTED_DRAFT], 'draft.open': () => READ_DRAFT },
    done: (opened) => isAt({ view: 'drafts', id: LISTED_DRAFT.id })(opened) && opened.called('draft.open').length === 1,
  },
  'go.scheduled': { at: inbox(null), done: isAt({ view: 'scheduled' }) },
  'go.outbox': { at: inbox(null), done: isAt({ view: 'outbox' }) },
  'writing.new': { at: inbox(null), done: isBegun('new') },
  'writing.reply': { at: inbox('thread-0'), done: isBegun('reply') },
  'writing.replyAll': { at: inbox('thread-0'), done: isBegun('replyAll') },
  'writing.send': composerTrial('send send'),
  'writing.sendAndArchive': composerTrial('send archive'),
  'writing.schedule': composerTrial('send schedule'),
  'writing.attach': composerTrial('attach'),
  'writing.remind': composerTrial('remind'),
  'writing.cannedReply': composerTrial('canned reply'),
  'writing.cc': composerTrial('show cc'),
  'writing.bcc': composerTrial('show bcc'),
  'writing.subject': composerTrial('show subject'),
  'writing.from': composerTrial('show from'),
  'writing.formatting': composerTrial('formatting'),
  'writing.plain': composerTrial('format plain'),
  'writing.quote': composerTrial('quote'),
  'writing.widen': composerTrial('widen'),
  'writing.window': composerTrial('window'),
  'writing.discardOpen': composerTrial('discard'),
  'writing.replyToAuthor': {
    at: inbox('thread-0'),
    handlers: { 'thread.open': () => LIST_THREAD },
    done: (opened) =>
      isBegun('reply')(opened) &&
      JSON.stringify(opened.called('draft.create')).includes(
        '"to":[{"name":"Ada Quill","address":"ada@quill.example"}]',
      ),
  },
  'writing.forward': { at: inbox('thread-0'), done: isBegun('forward') },
  'writing.discard': {
    at: { view: 'drafts', id: null },
    handlers: { 'draft.list': () => [LISTED_DRAFT] },
    done: ({ called }) => JSON.stringify(called('draft.discard')) === JSON.stringify([{ draftId: LISTED_DRAFT.id }]),
  },
  'snippets.newReply': { at: inbox(null), done: ({ session }) => session.snippets.asked?.kind === 'reply' },
  'snippets.signature': { at: inbox(null), done: ({ session }) => session.snippets.asked?.kind === 'signature' },
  'snippets.export': { at: inbox(null), done: ({ called }) => called('snippet.export').length === 1 },
  'snippets.import': {
    at: inbox(null),
    before: () => {
      choosing = vi.spyOn(HTMLInputElement.prototype, 'click')
    },
    done: () => choosing?.mock.contexts.some((input) => (input as HTMLInputElement).type === 'file') === true,
  },
  'go.rules': { at: inbox(null), done: isAt({ view: 'settings' }) },
  'rules.new': { at: inbox(null), done: ({ session }) => session.rules.asked?.text === '' },
  'rules.fromThread': {
    at: inbox('thread-1'),
    done: ({ session }) => session.rules.asked?.text.startsWith('from:') === true,
  },
  'rules.block': { at: inbox('thread-1'), done: ({ called }) => called('rule.save').length === 1 },
  'rules.log': { at: inbox(null), done: ({ session }) => session.rules.log?.rule === null },
  'rules.export': { at: inbox(null), done: ({ called }) => called('rule.export').length === 1 },
  'rules.import': {
    at: inbox(null),
    before: () => {
      choosing = vi.spyOn(HTMLInputElement.prototype, 'click')
    },
    done: () => choosing?.mock.contexts.some((input) => (input as HTMLInputElement).type === 'file') === true,
  },
  'assistants.review': {
    at: inbox(null),
    handlers: {
      'assistant.proposals': () => [
        {
          ...{ id: 'proposal-1', at: 0, client: 'Helper', inboxId: INBOX.id, reason: 'They are done.', state: 'open' },
          change: { kind: 'move', threadIds: ['thread-1'], folder: 'archive' },
        },
      ],
    },
    before: ({ session }) => session.assistants.load(),
    done: ({ session }) => session.assistants.isReviewing,
  },
  'go.shareLinks': { at: inbox(null), done: isAt({ view: 'shareLinks' }) },
  'search.focus': { at: inbox(null), done: ({ asked }) => asked.includes('search') },
  'search.save': { at: search('webcam'), done: ({ session }) => session.questions.asked?.title === 'Save search' },
  'search.widen': { at: search('no-such-word'), done: isAt({ view: 'search', query: 'in:anywhere no-such-word' }) },
  'search.received': {
    at: search('in:anywhere no-such-word'),
    done: isAt({ view: 'received', query: 'no-such-word' }),
  },
  'list.next': { at: inbox(null), done: ({ session }) => session.threads.cursor.id === 'thread-1' },
  'list.previous': { at: inbox('thread-1'), done: isAt({ threadId: 'thread-0' }) },
  'thread.openConversation': {
    at: { view: 'received', id: null },
    done: isAt({ view: 'folder', threadId: 'thread-0', emailId: 'thread-0-email-0' }),
  },
  'email.open': {
    at: { view: 'received', id: null },
    before: ({ session: { received } }) => received.cursor.moveTo(received.list, 1),
    done: isAt({ view: 'received', id: 'received-1' }),
  },
  'list.open': {
    at: { view: 'contacts', id: null },
    done: ({ shell }) => 'id' in shell.route.current && shell.route.current.id !== null,
  },
  'list.quickLook': { at: inbox(null), before: focusRows, done: ({ session }) => session.threads.isInQuickLook },
  'list.top': {
    at: inbox(null),
    before: ({ run }) => run('list.next'),
    done: ({ session }) => session.threads.cursor.id === 'thread-0',
  },
  'list.back': { at: inbox('thread-1'), done: isAt({ threadId: null }) },
  'selection.toggle': { at: inbox('thread-1'), done: areSelected('thread-1') },
  'selection.extendDown': { at: inbox(null), done: areSelected('thread-0', 'thread-1') },
  'selection.extendUp': {
    at: inbox(null),
    before: ({ run }) => run('list.next'),
    done: areSelected('thread-1', 'thread-0'),
  },
  'selection.all': {
    at: inbox(null),
    done: ({ session: { threads } }) => threads.selection.size > 1 && threads.selection.size === threads.rows?.total,
  },
  'selection.whole': { at: inbox(null), done: ({ session }) => session.threads.selection.isWhole },
  'selection.none': {
    at: inbox('thread-1'),
    before: ({ run }) => run('selection.toggle'),
    done: (opened) => areSelected()(opened) && isAt({ threadId: 'thread-1' })(opened),
  },
  'thread.inbox': { at: folder('archive'), done: isChanged('thread-3', { folder: 'inbox' }) },
  'thread.archive': { at: inbox(null), done: isChanged('thread-0', { folder: 'archive' }) },
  'thread.trash': { at: inbox(null), done: isChanged('thread-0', { folder: 'trash' }) },
  'thread.spam': { at: inbox(null), done: isChanged('thread-0', { folder: 'spam' }) },
  'thread.move': { at: inbox(null), done: ({ session }) => session.picker.isOpen },
  'thread.snooze': { at: inbox(null), done: ({ session }) => session.picker.isOpen },
  'thread.remind': { at: inbox(null), done: ({ session }) => session.picker.isOpen },
  'thread.star': { at: inbox(null), done: isChanged('thread-0', { star: true }) },
  'thread.unstar': {
    at: inbox('thread-9'),
    done: isChanged('thread-9', { star: false }),
  },
  'thread.mute': { at: inbox(null), done: isChanged('thread-0', { mute: true }) },
  'thread.unmute': {
    at: inbox('thread-9'),
    done: isChanged('thread-9', { mute: false }),
  },
  'thread.read': { at: inbox(null), done: isChanged('thread-0', { read: true }) },
  'thread.unread': {
    at: inbox(null),
    before: ({ run }) => run('list.next'),
    done: isChanged('thread-1', { read: false }),
  },
  'thread.deleteKept': {
    at: inbox(null),
    handlers: { 'thread.list': () => KEPT_PAGE, 'thread.countKept': () => ({ threads: 1, emails: 2, others: 0 }) },
    done: ({ session }) => session.questions.asked?.isPossible?.('') === true,
  },
  'email.deleteKept': {
    at: { view: 'received', id: null },
    handlers: { 'receivedEmail.list': () => KEPT_EMAILS },
    done: ({ session }) => session.questions.asked?.title === 'Delete from this computer',
  },
  'received.sameAddress': {
    at: { view: 'received', id: null },
    done: isAt({ view: 'received', query: `to:<${INBOX.emailAddress}>` }),
  },
  'label.pick': {
    at: inbox('thread-1'),
    done: ({ session }) => session.labelPicker.chosen?.threads[0]?.id === 'thread-1',
  },
  'assign.pick': {
    at: inbox('thread-1'),
    done: ({ session: { picker } }) => picker.isOpen && picker.asked?.title === 'Assign to',
  },
  // Assigning to “me” first asks who that is.
  'assign.me': {
    at: inbox('thread-1'),
    done: ({ session: { questions } }) => questions.asked?.action === 'Assign to me',
  },
  'assign.nobody': {
    at: inbox('thread-0'),
    before: async ({ session: { mailboxes, threads, assignees }, called }) => {
      await mailboxes.loadLabels(INBOX.id)
      const first = threads.rows?.at(0)
      if (first === undefined) throw new Error('there is one')
      const chosen = { inboxId: INBOX.id, threads: [first], count: 1, matching: null }
      await assignees.assign({ ...chosen, hasUnloaded: false, areSelected: false }, 'Theo Lind')
      await until(() => called('thread.change').length === 1)
    },
    done: ({ called }) => called('thread.change').length === 2,
  },
  'assign.whoIAm': { at: inbox(null), done: ({ session }) => session.questions.typed === 'Ada Quill' },
  'go.mine': { at: inbox(null), done: isAt({ view: 'search', query: 'in:inbox assigned:me' }) },
  'go.nobodys': { at: inbox(null), done: isAt({ view: 'search', query: 'in:inbox assigned:nobody' }) },
  'label.create': { at: inbox(null), done: ({ session }) => session.questions.asked?.title === 'New label' },
  'label.edit': {
    at: { view: 'label', inboxId: INBOX.id, labelId: 'label-2', threadId: null },
    before: ({ session }) => session.mailboxes.loadLabels(INBOX.id),
    done: ({ session }) => session.questions.typed === 'Urgent',
  },
  'label.delete': {
    at: { view: 'label', inboxId: INBOX.id, labelId: 'label-2', threadId: null },
    before: ({ session }) => session.mailboxes.loadLabels(INBOX.id),
    done: ({ session }) => session.questions.asked?.title === 'Delete label “Urgent”',
  },
  'thread.undo': {
    at: inbox(null),
    before: async ({ run, called }) => {
      run('thread.archive')
      await until(() => called('thread.change').length === 1)
    },
    done: (opened) => opened.called('change.undo').length === 1 && firstRow(opened) === 'thread-0',
  },
  'thread.redo': {
    at: inbox(null),
    before: async ({ run, called }) => {
      run('thread.archive')
      run('thread.undo')
      await until(() => called('change.undo').length === 1)
    },
    done: (opened) => opened.called('change.undo').length === 2 && firstRow(opened) === 'thread-1',
  },
  'go.inbox': { at: folder('trash'), done: isAt({ view: 'folder', folder: 'inbox' }) },
  'go.archive': { at: inbox(null), done: isAt({ view: 'folder', folder: 'archive' }) },
  'go.spam': { at: inbox(null), done: isAt({ view: 'folder', folder: 'spam' }) },
  'go.sent': { at: inbox(null), done: isAt({ view: 'folder', folder: 'sent' }) },
  'go.trash': { at: inbox(null), done: isAt({ view: 'folder', folder: 'trash' }) },
  'contact.add': {
    at: inbox(null),
    done: ({ session }) => session.contactEditor.asked?.kind === 'add' && session.contactEditor.asked.address === '',
  },
  'contact.import': {
    at: { view: 'contacts', id: null },
    before: () => void vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(choosesFile),
    done: () => choosesFile.mock.contexts.some((chooser) => chooser.accept.includes('.csv')),
  },
  'contact.edit': {
    at: { view: 'contacts', id: null },
    done: ({ session: { contactEditor } }) =>
      contactEditor.asked?.kind === 'edit' && contactEditor.asked.contact.id === 'contact-0',
  },
  'contact.segments': {
    at: { view: 'contacts', id: null },
    before: ({ run }) => run('contact.select'),
    done: ({ session }) => session.contactEditor.sorted.map(({ id }) => id).join() === 'contact-0',
  },
  'contact.topics': {
    at: { view: 'contacts', id: null },
    before: ({ run }) => run('contact.select'),
    done: ({ session }) => session.topics.many?.contacts.map(({ id }) => id).join() === 'contact-0',
  },
  'topic.manage': {
    at: inbox(null),
    done: (opened) => isAt({ view: 'contacts' })(opened) && opened.session.topics.isOpen,
  },
  'topic.create': {
    at: inbox(null),
    done: (opened) => isAt({ view: 'contacts' })(opened) && opened.session.topics.asked?.act === 'create',
  },
  'contact.delete': {
    at: { view: 'contacts', id: 'contact-0' },
    before: ({ session }) => until(() => session.contacts.contact !== null),
    done: (opened) =>
      JSON.stringify(opened.called('contact.delete')) === '[{"contactIds":["contact-0"]}]' &&
      isAt({ view: 'contacts', id: null })(opened),
  },
  'contact.select': {
    at: { view: 'contacts', id: null },
    done: ({ session }) => session.contacts.selection.size === 1,
  },
  'contact.selectAll': {
    at: { view: 'contacts', id: null },
    done: ({ session }) => session.contacts.selection.size > 20,
  },
  'contact.selectNone': {
    at: { view: 'contacts', id: null },
    before: ({ run }) => run('contact.select'),
    done: ({ session }) => session.contacts.selection.isEmpty,
  },
  'go.contacts': { at: inbox(null), done: isAt({ view: 'contacts' }) },
  'go.allReceived': { at: inbox(null), done: isAt({ view: 'received' }) },
  'go.allSent': { at: inbox(null), done: isAt({ view: 'sent' }) },
  'go.back': {
    at: inbox(null),
    before: ({ shell }) => shell.route.go({ view: 'settings' }),
    done: isAt({ view: 'folder', folder: 'inbox' }),
  },
  'go.forward': {
    at: inbox(null),
    before: async ({ shell, run }) => {
      shell.route.go({ view: 'settings' })
      run('go.back')
      await until(() => shell.route.current.view === 'folder')
    },
    done: isAt({ view: 'settings' }),
  },
  'inboxTab.next': {
    at: inbox(null),
    before: splitWithFocus,
    done: isAt({ view: 'folder', folder: 'inbox', tab: 'is:person' }),
  },
  'inboxTab.previous': {
    at: { view: 'folder', inboxId: INBOX.id, folder: 'inbox', tab: 'is:newsletter', threadId: null },
    before: splitWithFocus,
    done: isAt({ view: 'folder', folder: 'inbox', tab: 'is:person' }),
  },
  'filter.unread': { at: inbox(null), done: isAt({ view: 'folder', only: 'unread' }) },
  'filter.files': { at: inbox(null), done: isAt({ view: 'folder', only: 'files' }) },
  'filter.starred': { at: inbox(null), done: isAt({ view: 'folder', only: 'starred' }) },
  'filter.mine': { at: inbox(null), done: isAt({ view: 'folder', only: 'mine' }) },
  'sort.newest': {
    at: inbox(null),
    before: ({ run, session }) => {
      run('sort.oldest')
      return until(() => session.threads.rows?.order === 'oldest')
    },
    done: isSorted('newest'),
  },
  'sort.oldest': { at: inbox(null), done: isSorted('oldest') },
  'sort.waiting': { at: inbox(null), done: isSorted('waiting') },
  'inbox.split': { at: inbox(null), done: ({ shell }) => shell.preferences.values.splitInbox },
  'go.settings': { at: inbox(null), done: isAt({ view: 'settings' }) },
  'settings.search': {
    at: { view: 'settings' },
    before: () => {
      const field = Object.assign(document.createElement('input'), { type: 'search' })
      document.body.appendChild(document.createElement('main')).append(field)
    },
    done: () => document.activeElement?.matches('main input') === true,
  },
  'settings.leave': {
    at: inbox('thread-1'),
    before: ({ shell }) => shell.route.go({ view: 'settings', section: 'rules' }),
    done: isAt({ view: 'folder', threadId: 'thread-1' }),
  },
  'account.add': { at: inbox(null), done: ({ shell }) => shell.account.isAdding },
  'sync.now': { at: inbox(null), done: ({ called }) => called('sync.now').length === 1 },
  'network.signIn': {
    at: inbox(null),
    handlers: { 'sync.status': () => BEHIND_SIGN_IN },
    before: ({ session }) => session.sync.load(),
    done: ({ session }) => session.links.question?.target === BEHIND_SIGN_IN.signInPage,
  },
  'proxy.signIn': {
    at: inbox(null),
    handlers: { 'sync.status': () => BEHIND_PROXY },
    before: ({ session }) => session.sync.load(),
    done: ({ shell }) => shell.proxyLogin.question?.proxy.address === BEHIND_PROXY.proxyNeedingLogin?.address,
  },
  'run.safe': {
    at: inbox(null),
    done: ({ called }) => JSON.stringify(called('run.choose')) === '[{"mode":"safe"}]',
  },
  'run.usual': {
    at: inbox(null),
    handlers: { 'run.state': () => ({ mode: 'safe', crashes: [] }) },
    before: ({ shell }) => shell.run.load(),
    done: ({ called }) => JSON.stringify(called('run.choose')) === '[{"mode":"usual"}]',
  },
  'commands.palette': { at: inbox(null), done: ({ asked }) => asked.includes('palette') },
  'update.check': {
    at: inbox(null),
    before: async ({ shell }) => {
      onDesktop()
      await shell.preferences.choose({ looksForUpdates: true })
    },
    done: (opened) => opened.called('update.check').length === 1 && isAt({ view: 'settings' })(opened),
  },
  'update.install': {
    at: inbox(null),
    before: async ({ shell }) => {
      await shell.preferences.choose({ looksForUpdates: true })
      await shell.updates.check()
    },
    done: ({ called }) => called('update.install').length === 1,
  },
  'network.test': {
    at: inbox(null),
    before: ({ shell }) => shell.account.load(),
    done: ({ asked }) => asked.includes('connection test'),
  },
  'app.about': { at: inbox(null), done: ({ asked }) => asked.includes('about') },
  'app.firstSteps': { at: inbox(null), done: ({ asked }) => asked.includes('first steps') },
  'commands.keys': { at: inbox(null), done: ({ asked }) => asked.includes('shortcuts') },
}

/** Zoom commands, for the desktop only, each from a different level. */
const zoomTrials = [
  { step: 'in', from: 100, to: 110 },
  { step: 'out', from: 100, to: 90 },
  { step: 'reset', from: 175, to: 100 },
].map(({ step, from, to }): [string, Trial] => [
  `view.zoom.${step}`,
  {
    at: inbox(null),
    before: async ({ shell }) => {
      onDesktop()
      await shell.preferences.choose({ zoom: from })
    },
    done: ({ shell }) => shell.preferences.values.zoom === to,
  },
])

/** Each value has a command, tried from another value. */
const choiceTrials = SETTINGS.flatMap(({ name, words, labels }) =>
  (words === undefined ? [] : Object.keys(labels ?? {})).map((value, index, values): [string, Trial] => [
    `view.${name}.${value}`,
    {
      at: { view: 'settings' },
      before: async ({ shell }) => {
        await shell.preferences.choose({ [name]: values.at(index - 1) })
      },
      done: ({ shell }) => shell.preferences.values[name] === value,
    },
  ]),
)

const spellingTrials = [true, false].map((isWanted): [string, Trial] => [
  `writing.spelling.${isWanted ? 'on' : 'off'}`,
  {
    at: { view: 'settings' },
    before: async ({ shell }) => {
      await shell.preferences.choose({ checkSpelling: !isWanted })
    },
    done: ({ shell }) => shell.preferences.values.checkSpelling === isWanted,
  },
])

/** Two accounts with nine inboxes between them: the fixture's own and a second one. */
const withNineInboxes: FixtureHandlers = {
  'account.state': () => ({
    accounts: ['fixture', 'other'].map((id) => ({
      ...{ id, baseUrl: 'http://127.0.0.1:1', kind: 'platform', name: null, color: '#5B5BD6' },
      ...{ addresses: [], isOpen: true, isSignedIn: false, isKeyTested: true, isFromEnvironment: false, problem: null },
    })),
    ...{ keyStorage: 'memory', problem: null, known: [], question: null, demoProgress: null },
  }),
  'inbox.list': (_nothing, { accountId }) => ({
    inboxes: Array.from({ length: accountId === 'other' ? 4 : 5 }, (_none, index) => ({
      ...INBOX,
      id: accountId !== 'other' && index === 0 ? INBOX.id : `${accountId ?? ''}-${index + 1}`,
    })),
    freshness: { state: 'live', at: 0 },
  }),
}

const NINE = [INBOX.id, 'fixture-2', 'fixture-3', 'fixture-4', 'fixture-5', 'other-1', 'other-2', 'other-3', 'other-4']

const bothOpen = async ({ shell: { account } }: OpenWindow): Promise<void> => {
  await account.load()
  await until(() => account.watch('other')?.inboxes.length === 4 && account.watch('fixture')?.inboxes.length === 5)
}

const allInboxesTrial: Trial = {
  at: folder('trash'),
  handlers: withNineInboxes,
  before: bothOpen,
  done: (opened) =>
    isAt({ view: 'folder', folder: 'inbox', inboxId: 'all' })(opened) && opened.shell.account.isAllInboxes,
}

const inboxTrials = NINE.map((inboxId, index): [string, Trial] => [
  `go.inbox.${index + 1}`,
  {
    at: folder('trash'),
    handlers: withNineInboxes,
    before: bothOpen,
    done: (opened) =>
      isAt({ view: 'folder', folder: 'inbox', inboxId })(opened) &&
      opened.shell.account.shown?.id === (index < 5 ? 'fixture' : 'other'),
  },
])

/** Every registered command, tried by each key and by a direct call. A missing command fails the test. */
const TRIALS: Readonly<Record<string, Trial>> = {
  ...SINGLE_TRIALS,
  'go.allInboxes': allInboxesTrial,
  ...Object.fromEntries([...choiceTrials, ...zoomTrials, ...spellingTrials, ...inboxTrials]),
  'backup.now': {
    at: inbox(null),
    handlers: {
      ...withNineInboxes,
      'backup.state': () => ({ schedule: 'off', keep: 7, folder: '/backups', last: null, running: null }),
    },
    before: ({ shell: { account } }) => account.load(),
    done: ({ called }) => called('backup.now').length === 1,
  },
}

const REFUSAL: Problem = { code: 'refused', message: 'The pier is closed. Nothing was changed.' }

/** Requests that may fail without a notice: pictures report in place, and assignees can still be typed. */
const isAside = (name: string): boolean => ['picture.read', 'assignee.list', 'assignee.unread'].includes(name)

/** True if the window gives the reason, in a toast or in place. */
const isSaid = ({ shell, session }: OpenWindow): boolean => {
  const lists = { rows: session.threads.rows, contactRows: session.contacts.list }
  const problems = Object.values({ ...session, ...shell, ...lists }).map((part: unknown) =>
    typeof part === 'object' && part !== null && 'problem' in part ? part.problem : null,
  )
  const composers = session.writing.composers.all.map(({ problem }) => problem)
  const said = [...problems, ...composers].map((problem) =>
    typeof problem === 'object' && problem !== null && 'message' in problem ? problem.message : '',
  )
  return [...said, ...shell.toasts.toasts.map(({ text }) => text)].some((words) =>
    String(words).includes(REFUSAL.message),
  )
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  document.body.replaceChildren()
  // Forget where the conversation was opened from.
  history.replaceState(null, '', location.href)
})
const ending = endAfterEach()

describe('every command', () => {
  it('has a trial here', () => {
    expect(Object.keys(TRIALS).toSorted()).toEqual(COMMANDS.map(({ id }) => id).toSorted())
  })

  it('in the menu bar exists', () => {
    expect(MENU_COMMANDS.filter((id) => !COMMANDS.some((command) => command.id === id))).toEqual([])
  })

  it('has a unique name, since the palette lists names', () => {
    const names = COMMANDS.map(({ name }) => name)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  it.each(COMMANDS.flatMap(({ id, keys = [] }) => [null, ...keys].map((by) => ({ id, by: by ?? 'call', keys: by }))))(
    '$id works by $by',
    async ({ id, keys }) => {
      const trial = TRIALS[id]
      if (trial === undefined) throw new Error('it has a trial')
      const opened = await openWindow(trial.at, ending.signal, trial.handlers)
      listenForKeys(opened.commands, ending.signal)
      await trial.before?.(opened)
      expect(trial.done(opened)).toBe(false)
      if (keys === null) opened.run(id)
      else strike(keys)
      await until(() => trial.done(opened))
    },
  )

  it.each(COMMANDS)('$id gives the reason when everything it requests is rejected', async ({ id }) => {
    const trial = TRIALS[id]
    if (trial === undefined) throw new Error('it has a trial')
    const opened = await openWindow(trial.at, ending.signal, trial.handlers)
    await trial.before?.(opened)
    const before = opened.calls.length
    opened.refuse(REFUSAL)
    opened.run(id)
    // Enough turns for the first request.
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0))
    const asked = opened.calls.slice(before).map(({ name }) => name)
    // Files and lazy dialogs take as long as they take.
    if (asked.some((name) => !isAside(name))) await until(() => isSaid(opened))
  })

  it('does nothing when it has nothing to act on', async () => {
    const opened = await openWindow({ view: 'settings' }, ending.signal)
    const { shell, commands, called } = opened
    const idle = COMMANDS.filter((command) => !commands.can(command))
    expect(idle.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['thread.archive', 'list.next', 'reader.on', 'list.back']),
    )
    for (const command of idle) commands.run(command)
    expect(shell.route.current).toEqual({ view: 'settings' })
    expect(called('thread.change')).toEqual([])
  })
})
