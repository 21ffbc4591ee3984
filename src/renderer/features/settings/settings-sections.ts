import type { Component } from 'svelte'
import Settings from '@lucide/svelte/icons/settings'
import { SETTINGS } from '../../../shared/preferences.ts'
import type { PaletteItem, PaletteSource } from '../../kernel/commands.ts'
import type { Shell } from '../../kernel/session.ts'
import AccountSettings from '../accounts/AccountSettings.svelte'
import AnswerSettings from '../accounts/AnswerSettings.svelte'
import ArrivalSettings from '../accounts/ArrivalSettings.svelte'
import { formatAccountName } from '../accounts/describe-account.ts'
import InboxSettings from '../accounts/InboxSettings.svelte'
import UsageSettings from '../accounts/UsageSettings.svelte'
import AgentSettings from '../agents/AgentSettings.svelte'
import AssistantSettings from '../assistants/AssistantSettings.svelte'
import KeySettings from '../commands/KeySettings.svelte'
import RulesSettings from '../rules/RulesSettings.svelte'
import UpdateSettings from '../updates/UpdateSettings.svelte'
import CannedReplySettings from '../writing/CannedReplySettings.svelte'
import SignatureSettings from '../writing/SignatureSettings.svelte'
import BackupSettings from './BackupSettings.svelte'
import DataSettings from './DataSettings.svelte'
import DesktopSettings from './DesktopSettings.svelte'
import Diagnostics from './Diagnostics.svelte'
import NetworkSettings from './NetworkSettings.svelte'
import NotificationSettings from './NotificationSettings.svelte'
import PrivacySettings from './PrivacySettings.svelte'
import SpellingSettings from './SpellingSettings.svelte'
import StoredMail from './StoredMail.svelte'

export interface Section {
  readonly id: string
  readonly title: string
  /** Further search terms, in the settings and in the palette. */
  readonly words: string
  /** Rendered after the section's settings from `shared/preferences.ts`. */
  readonly Settings?: Component
  /** Settings of that component, by name, with further search terms for the palette. */
  readonly own?: Readonly<Record<string, string>>
  /** True if the section must be recreated for another account. */
  readonly isOfAccount?: true
}

const listAccountSections = ({ account, isAllInboxes }: Shell): readonly Section[] => {
  const { shown } = account
  if (shown === undefined) return []
  const named = (title: string): string => (account.all.length > 1 ? `${title} for ${formatAccountName(shown)}` : title)
  return [
    {
      id: 'inboxes',
      title: named('Inboxes'),
      words: 'new create rename delete sender name forwarding address',
      Settings: InboxSettings,
      isOfAccount: true,
    },
    {
      id: 'agent',
      title: 'Agent',
      words: 'inbox AI automatic drafts replies instructions tone',
      Settings: AgentSettings,
    },
    ...(!isAllInboxes
      ? [
          {
            id: 'assistants',
            title: named('Assistants'),
            words: 'AI MCP model context protocol program access read permission log proposals',
            Settings: AssistantSettings,
            isOfAccount: true as const,
          },
        ]
      : []),
    {
      id: 'answers',
      title: named('Reply times'),
      words: 'first answer response time median waiting longest statistics',
      Settings: AnswerSettings,
      isOfAccount: true,
    },
    {
      id: 'arrival',
      title: named('New mail'),
      words: 'webhook instant push poll check events log',
      Settings: ArrivalSettings,
      isOfAccount: true,
    },
    {
      id: 'usage',
      title: named('Usage'),
      words: 'quota limit left today month plan contacts rate',
      Settings: UsageSettings,
      isOfAccount: true,
    },
    ...(shown.kind === 'platform'
      ? [
          {
            id: 'backup',
            title: named('Backup'),
            words: 'copy restore schedule folder',
            Settings: BackupSettings,
            own: { 'Backup folder': '', 'Back up': 'schedule automatic daily weekly', Keep: 'backups old' },
            isOfAccount: true as const,
          },
        ]
      : []),
  ]
}

/** Sections of the settings, in display order; reactive. */
export const listSections = (shell: Shell): readonly Section[] => [
  {
    id: 'accounts',
    title: 'Accounts',
    words: 'API key connect inbox log out sign out logout disconnect remove',
    Settings: AccountSettings,
  },
  { id: 'appearance', title: 'Appearance', words: 'look night mode colours layout font' },
  { id: 'reading', title: 'Reading', words: 'unread open' },
  { id: 'sending', title: 'Sending', words: 'outbox take back delay' },
  {
    id: 'notifications',
    title: 'Notifications',
    words: 'notices alerts sound',
    Settings: NotificationSettings,
    own: { 'Quiet hours': 'do not disturb night silence pause' },
  },
  ...(window.linnet === undefined
    ? []
    : [
        {
          id: 'desktop',
          title: 'Desktop',
          words: 'tray start login mailto',
          Settings: DesktopSettings,
          own: {
            'Show Linnet in the tray or menu bar': 'icon notification area background keep running',
            'Start when you sign in': 'login autostart boot',
            'Default mail app': 'mailto links',
          },
        },
      ]),
  {
    id: 'network',
    title: 'Network',
    words: 'proxy connection offline password certificate test',
    Settings: NetworkSettings,
    own: { Proxy: 'company address' },
  },
  ...(!shell.isAllInboxes
    ? [{ id: 'rules', title: 'Rules', words: 'filters automatic sort block label', Settings: RulesSettings }]
    : []),
  { id: 'spelling', title: 'Spelling', words: 'spell checker dictionaries languages', Settings: SpellingSettings },
  { id: 'signatures', title: 'Signatures', words: 'writing', Settings: SignatureSettings },
  { id: 'canned', title: 'Canned replies', words: 'template snippet writing', Settings: CannedReplySettings },
  { id: 'keyboard', title: 'Keyboard', words: 'keys shortcuts bindings', Settings: KeySettings },
  {
    id: 'privacy',
    title: 'Privacy',
    words: 'forget clear history pictures tracking',
    Settings: PrivacySettings,
    own: { 'Clear recent searches': 'history forget', 'Clear recent commands': 'history forget palette' },
  },
  {
    id: 'kept',
    title: 'Stored mail',
    words: 'kept offline keep archive',
    Settings: StoredMail,
    own: { 'Mail to store': 'days months offline', 'Space for attachments': 'disk files gigabytes' },
  },
  {
    id: 'data',
    title: 'Mail on this computer',
    words: 'cache clear export disk',
    Settings: DataSettings,
    own: { 'Clear downloaded mail': 'cache reset download again' },
  },
  ...listAccountSections(shell),
  ...(shell.updates.state === null
    ? []
    : [
        {
          id: 'updates',
          title: 'Updates',
          words: 'version upgrade',
          Settings: UpdateSettings,
          own: { 'Check for new versions': 'automatic daily' },
        },
      ]),
  {
    id: 'help',
    title: 'Help',
    words: 'about version log support',
    Settings: Diagnostics,
    own: { 'Copy diagnostics': 'bug report support', 'Detailed log': 'debug verbose' },
  },
]

/** Every section of the settings and every setting, which leads to its section. */
export const settingsItems: PaletteSource = ({ shell }) => {
  const itemOf = (section: string, name: string, detail: string, words: string): PaletteItem => ({
    ...{ id: `settings ${section} ${name}`, name, detail, words, icon: Settings, isOnlyFound: true },
    go: () => shell.route.go({ view: 'settings', section }),
  })
  return listSections(shell).flatMap(({ id, title, words, own = {} }) => {
    // Browsers have their own zoom.
    const listed = SETTINGS.filter(
      ({ section, name }) => section === id && (name !== 'zoom' || window.linnet !== undefined),
    )
    const settings = [...listed.map(({ label, words: terms = '' }) => [label, terms] as const), ...Object.entries(own)]
    return [
      itemOf(id, title, 'Settings', words),
      ...settings.map(([name, terms]) => itemOf(id, name, `Settings › ${title}`, terms)),
    ]
  })
}
