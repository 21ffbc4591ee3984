import type { Component } from 'svelte'
import Settings from '@lucide/svelte/icons/settings'
import { SETTINGS } from '../../../shared/preferences.ts'
import type { PaletteSource } from '../../kernel/commands.ts'
import type { Route } from '../../kernel/route.ts'
import type { Shell } from '../../kernel/session.ts'
import AccountSettings from '../accounts/AccountSettings.svelte'
import AnswerSettings from '../accounts/AnswerSettings.svelte'
import ArrivalSettings from '../accounts/ArrivalSettings.svelte'
import InboxSettings from '../accounts/InboxSettings.svelte'
import UsageSettings from '../accounts/UsageSettings.svelte'
import AgentSettings from '../agents/AgentSettings.svelte'
import AssistantSettings from '../assistants/AssistantSettings.svelte'
import { matchEntry } from '../commands/rank-entries.ts'
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

/** A page of the settings. */
interface Section {
  readonly title: string
  /** Further search terms, in the settings and in the palette. */
  readonly words: string
  /** Rendered after the section's settings from `shared/preferences.ts`. */
  readonly Settings?: Component
  /** Settings of that component by ID: the name, and further search terms. */
  readonly own?: Readonly<Record<string, readonly [name: string, words: string]>>
  /** Omitted if always offered. */
  readonly when?: (shell: Shell) => boolean
}

const isDesktop = (): boolean => window.linnet !== undefined

/** By group and ID, in display order. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, Section>>>> = {
  Account: {
    accounts: {
      title: 'Accounts',
      words: 'API key connect log out sign out logout disconnect remove',
      Settings: AccountSettings,
    },
    inboxes: {
      title: 'Inboxes',
      words: 'new create add connect rename delete sender name forwarding address',
      Settings: InboxSettings,
    },
    usage: {
      title: 'Usage',
      words: 'quota limit left today month plan contacts rate',
      Settings: UsageSettings,
    },
    answers: {
      title: 'Reply times',
      words: 'first answer response time median waiting longest statistics',
      Settings: AnswerSettings,
    },
  },
  Mail: {
    arrival: {
      title: 'New mail',
      words: 'webhook instant push poll check events log',
      Settings: ArrivalSettings,
    },
    rules: {
      title: 'Rules',
      words: 'filters automatic sort block label',
      Settings: RulesSettings,
      when: ({ isAllInboxes }) => !isAllInboxes,
    },
    kept: {
      title: 'Stored mail',
      words: 'kept offline keep archive',
      Settings: StoredMail,
      own: {
        period: ['Mail to store', 'days months offline'],
        space: ['Space for attachments', 'disk files gigabytes'],
      },
    },
    data: {
      title: 'Mail on this computer',
      words: 'cache clear export disk',
      Settings: DataSettings,
      own: { clear: ['Clear downloaded mail', 'cache reset download again'] },
    },
    backup: {
      title: 'Backup',
      words: 'copy restore schedule folder',
      Settings: BackupSettings,
      own: {
        folder: ['Backup folder', ''],
        schedule: ['Back up', 'schedule automatic daily weekly'],
        keep: ['Keep', 'backups old'],
      },
      when: ({ account }) => account.shown?.kind === 'platform',
    },
  },
  Writing: {
    sending: { title: 'Sending', words: 'outbox take back delay' },
    signatures: { title: 'Signatures', words: 'writing', Settings: SignatureSettings },
    canned: { title: 'Canned replies', words: 'template snippet writing', Settings: CannedReplySettings },
    spelling: { title: 'Spelling', words: 'spell checker dictionaries languages', Settings: SpellingSettings },
  },
  Reading: {
    reading: { title: 'Lists and threads', words: 'reading unread open' },
    privacy: {
      title: 'Privacy',
      words: 'forget clear history pictures tracking',
      Settings: PrivacySettings,
      own: {
        searches: ['Clear recent searches', 'history forget'],
        commands: ['Clear recent commands', 'history forget palette'],
      },
    },
  },
  Look: { appearance: { title: 'Appearance', words: 'look night mode colours layout font' } },
  Desktop: {
    notifications: {
      title: 'Notifications',
      words: 'notices alerts sound',
      Settings: NotificationSettings,
      own: { quietHours: ['Quiet hours', 'do not disturb night silence pause'] },
    },
    keyboard: { title: 'Keyboard', words: 'keys shortcuts bindings', Settings: KeySettings },
    desktop: {
      title: 'System',
      words: 'desktop tray start login mailto',
      Settings: DesktopSettings,
      own: {
        tray: ['Show Linnet in the tray or menu bar', 'icon notification area background keep running'],
        start: ['Start when you sign in', 'login autostart boot'],
        mailApp: ['Default mail app', 'mailto links'],
      },
      when: isDesktop,
    },
    updates: {
      title: 'Updates',
      words: 'version upgrade',
      Settings: UpdateSettings,
      own: { check: ['Check for new versions', 'automatic daily'] },
      when: ({ updates }) => updates.state !== null,
    },
  },
  Assistants: {
    agent: {
      title: 'Inbox agents',
      words: 'AI automatic drafts replies instructions tone',
      Settings: AgentSettings,
    },
    assistants: {
      title: 'Assistant apps',
      words: 'AI MCP model context protocol program access read permission log proposals',
      Settings: AssistantSettings,
    },
  },
  Advanced: {
    network: {
      title: 'Network',
      words: 'proxy connection offline password certificate test',
      Settings: NetworkSettings,
      own: { proxy: ['Proxy', 'company address'] },
    },
    help: {
      title: 'Help',
      words: 'about version log support',
      Settings: Diagnostics,
      own: {
        diagnostics: ['Copy diagnostics', 'bug report support'],
        detailedLog: ['Detailed log', 'debug verbose'],
      },
    },
  },
}

/** Pages about the shown account alone. */
const OF_ACCOUNT: ReadonlySet<string> = new Set('inboxes usage answers arrival backup agent assistants'.split(' '))

/** Groups of the pages that are offered now; reactive. */
export const listGroups = (shell: Shell) =>
  Object.entries(GROUPS).map(([group, pages]) => ({
    group,
    sections: Object.entries(pages)
      .map(([id, section]) => ({ ...section, id, isOfAccount: OF_ACCOUNT.has(id) }))
      .filter(
        ({ isOfAccount, when }) => !(isOfAccount && shell.account.shown === undefined) && (when?.(shell) ?? true),
      ),
  }))

/** A page, or a setting on it. */
interface SettingsEntry {
  readonly name: string
  readonly words: string
  readonly hint?: string | undefined
  /** The page of a setting, or the group of a page. */
  readonly place: string
  readonly route: Route & { readonly view: 'settings' }
}

const listEntries = (shell: Shell): readonly SettingsEntry[] =>
  listGroups(shell).flatMap(({ group, sections }) =>
    sections.flatMap(({ id: section, title, words, own = {} }) => [
      { name: title, words, place: group, route: { view: 'settings', section } },
      ...SETTINGS.filter((setting) => setting.section === section && (setting.name !== 'zoom' || isDesktop())).map(
        ({ name: setting, label: name, words: terms = '', hint }): SettingsEntry => ({
          name,
          words: terms,
          hint,
          place: title,
          route: { view: 'settings', section, setting },
        }),
      ),
      ...Object.entries(own).map(([setting, [name, terms]]): SettingsEntry => ({
        name,
        words: terms,
        place: title,
        route: { view: 'settings', section, setting },
      })),
    ]),
  )

/** Pages and settings that match the most of the typed words, best first. */
export const findSettings = (shell: Shell, typed: string): readonly SettingsEntry[] => {
  const found = listEntries(shell)
    .flatMap((entry) => {
      const { name, words, hint = '', place } = entry
      const match = matchEntry({ name, words: `${words} ${hint} ${place}` }, typed)
      return match === null ? [] : [{ entry, ...match }]
    })
    .toSorted((a, b) => a.missing - b.missing || b.score - a.score)
  return found.filter(({ missing }) => missing === found[0]?.missing).map(({ entry }) => entry)
}

/** Every page and setting. */
export const settingsItems: PaletteSource = ({ shell }) =>
  listEntries(shell).map(({ name, words, place, route }) => ({
    ...{ id: `settings ${route.section} ${name}`, name, words, icon: Settings, isOnlyFound: true },
    detail: route.setting === undefined ? 'Settings' : `Settings › ${place}`,
    // A new object, so that an entry chosen again is shown again.
    go: () => shell.route.go({ ...route }),
  }))
