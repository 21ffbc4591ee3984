import LifeBuoy from '@lucide/svelte/icons/life-buoy'
import RefreshCw from '@lucide/svelte/icons/refresh-cw'
import { deleteLocalEmail, showMailForAddress } from '../features/account-emails/commands.ts'
import { ACCOUNT_COMMANDS, testConnection } from '../features/accounts/commands.ts'
import { APP_LINK_COMMANDS } from '../features/app-links/commands.ts'
import { reviewProposals } from '../features/assistants/commands.ts'
import { FILTER_COMMANDS } from '../features/thread-list/list-filters.ts'
import { SORT_COMMANDS } from '../features/thread-list/list-sort.ts'
import { ASSIGNED_LIST_COMMANDS, ASSIGNEE_COMMANDS } from '../features/assignees/commands.ts'
import { COMMAND_COMMANDS } from '../features/commands/commands.ts'
import { CONTACT_COMMANDS, CONTACT_SELECTION_COMMANDS } from '../features/contacts/commands.ts'
import { EXPORT_COMMANDS } from '../features/export/commands.ts'
import { showFirstSteps } from '../features/home/commands.ts'
import { LABEL_COMMANDS } from '../features/labels/commands.ts'
import { openSignInPage } from '../features/links/commands.ts'
import { ACCOUNT_LIST_COMMANDS, createScreens } from './screens.ts'
import { LIST_COMMANDS } from '../features/lists/commands.ts'
import { MAILBOX_COMMANDS, mailboxItems } from '../features/side-bar/commands.ts'
import { signInToProxy } from '../features/proxy/commands.ts'
import { PERSON_COMMANDS } from '../features/person/commands.ts'
import { READER_COMMANDS, shareNewestEmail, recentThreadItems } from '../features/reader/commands.ts'
import { RULE_COMMANDS } from '../features/rules/commands.ts'
import { SEARCH_COMMANDS, savedSearchItems } from '../features/search/commands.ts'
import { CONVERSATION_PRINT_COMMANDS, EMAIL_COMMANDS } from '../features/source/commands.ts'
import { searchSettings, SETTINGS_COMMANDS, showAbout } from '../features/settings/commands.ts'
import { settingsItems } from '../features/settings/settings-sections.ts'
import { MARK_COMMANDS } from '../features/threads/mark-commands.ts'
import { THREAD_COMMANDS } from '../features/threads/commands.ts'
import { openConversation, openEmail } from '../features/threads/open-conversation.ts'
import { quickLook, SELECTION_COMMANDS, INBOX_TAB_COMMANDS, inboxTabItems } from '../features/thread-list/commands.ts'
import { cannedReplyItems, SNIPPET_COMMANDS } from '../features/writing/snippet-commands.ts'
import { UPDATE_COMMANDS } from '../features/updates/commands.ts'
import { WINDOW_COMMANDS } from '../features/windows/commands.ts'
import { COMPOSER } from '../features/writing/composer-commands.ts'
import { continueDraft, WRITING_COMMANDS } from '../features/writing/commands.ts'
import { Commands, type Command, type FrameActions, type PaletteSource } from '../kernel/commands.ts'
import { goBack, goForward } from '../kernel/history-commands.ts'
import { Keymap } from '../kernel/keymap.svelte.ts'
import { modKeyOf } from '../kernel/name-key.ts'
import { ListNavigator } from '../kernel/list-navigator.ts'
import type { Session, Shell } from '../kernel/session.ts'

const FRAME_COMMANDS: readonly Command[] = [
  goBack,
  goForward,
  {
    id: 'sync.now',
    name: 'Check for new mail',
    words: 'sync now refresh check fetch reload',
    group: 'Linnet',
    icon: RefreshCw,
    keys: ['F5'],
    inText: true,
    run: ({ shell, session }) => {
      session.threads.release()
      void session.sync.syncNow((problem) => shell.toasts.problem(problem))
    },
  },
  {
    id: 'run.safe',
    name: 'Continue in safe mode',
    words: 'safe start mode crash trouble without index pictures older mail',
    group: 'Linnet',
    icon: LifeBuoy,
    when: ({ shell }) => shell.run.state.mode === 'usual',
    run: ({ shell }) => void shell.run.choose('safe'),
  },
  {
    id: 'run.usual',
    name: 'Leave safe mode',
    words: 'safe start mode end leave normal',
    group: 'Linnet',
    icon: LifeBuoy,
    when: ({ shell }) => shell.run.state.mode === 'safe',
    run: ({ shell }) => void shell.run.choose('usual'),
  },
]

/** Every command of the window. If several share a key, the first that has something to act on runs. */
export const COMMANDS: readonly Command[] = [
  // First, so that Escape closes the panel that covers the mail.
  ...PERSON_COMMANDS,
  // Before the search for mail.
  searchSettings,
  // Before the reader: Space looks at a row that isn't open.
  quickLook,
  // Before the lists: Enter on an e-mail acts on it, and in an empty list on the search.
  ...READER_COMMANDS,
  ...SEARCH_COMMANDS,
  // Before the lists: Escape clears the selection first.
  ...SELECTION_COMMANDS,
  ...CONTACT_SELECTION_COMMANDS,
  // Before the lists: Enter opens the thread if there is one, else the e-mail or the draft.
  openConversation,
  openEmail,
  continueDraft,
  ...LIST_COMMANDS,
  ...THREAD_COMMANDS,
  ...MARK_COMMANDS,
  ...LABEL_COMMANDS,
  ...RULE_COMMANDS,
  reviewProposals,
  ...ASSIGNEE_COMMANDS,
  ...WRITING_COMMANDS,
  ...Object.values(COMPOSER),
  ...SNIPPET_COMMANDS,
  shareNewestEmail,
  ...EMAIL_COMMANDS,
  ...CONVERSATION_PRINT_COMMANDS,
  ...MAILBOX_COMMANDS,
  ...INBOX_TAB_COMMANDS,
  ...ASSIGNED_LIST_COMMANDS,
  ...FILTER_COMMANDS,
  ...SORT_COMMANDS,
  ...ACCOUNT_LIST_COMMANDS,
  ...CONTACT_COMMANDS,
  deleteLocalEmail,
  showMailForAddress,
  ...APP_LINK_COMMANDS,
  ...WINDOW_COMMANDS,
  ...ACCOUNT_COMMANDS,
  ...EXPORT_COMMANDS,
  ...SETTINGS_COMMANDS,
  openSignInPage,
  signInToProxy,
  ...FRAME_COMMANDS,
  ...COMMAND_COMMANDS,
  ...UPDATE_COMMANDS,
  showFirstSteps,
  testConnection,
  showAbout,
]

export const PALETTE_SOURCES: readonly PaletteSource[] = [
  cannedReplyItems,
  recentThreadItems,
  savedSearchItems,
  inboxTabItems,
  mailboxItems,
  settingsItems,
]

export const createCommands = (shell: Shell, session: Session, frame: FrameActions): Commands =>
  new Commands(COMMANDS, {
    shell,
    session,
    frame,
    keymap: new Keymap(COMMANDS, shell.preferences, modKeyOf(navigator.platform)),
    navigator: new ListNavigator(shell.route, createScreens({ shell, session }), frame),
  })
