/** The user's preferences for windows, independent of the account: stored by the host, and the same in every window. */
import { z } from 'zod'
import { LIST_ORDERS } from './list-order.ts'
import { SPELLING_LIMITS } from './spelling.ts'
import { DEFAULT_ZOOM, ZOOM_LEVELS } from './zoom-steps.ts'

/** In pixels; null until the user has resized the pane. */
const paneSize = z.number().min(0).max(100_000).nullable()
const languageTag = z.string().min(2).max(35)
const openDraft = z
  .object({
    /** ID of the draft. In "All inboxes", it includes the account. */
    draftId: z.string().min(1).max(2_000),
    /** True if the draft is open in its own pane rather than below the e-mail that it answers. */
    isApart: z.boolean(),
    /** True if the composer is shown only as a tab. */
    isMinimised: z.boolean(),
  })
  .strict()
export type OpenDraft = Readonly<z.infer<typeof openDraft>>
/** Maximum number of drafts reopened at start; the others are in Drafts. */
export const MAX_REOPENED_DRAFTS = 20

/** Minutes since midnight, local time. */
const minuteOfDay = z.int().min(0).max(1_439)

const commandId = z.string().min(1).max(200)

/** A preference's control in the settings. */
interface Control {
  /** ID of its section in the settings, which shows its settings in the order of the table. */
  readonly section: 'appearance' | 'reading' | 'sending' | 'notifications' | 'spelling'
  readonly label: string
  readonly hint?: string
  /** Search terms of the palette, which then has a command for each value. */
  readonly words?: string
  /** A command that does the same by hand; the hint names its keys. */
  readonly command?: string
}

/** A preference without a control in its section, or with a component of its own there. */
const stored = <Schema extends z.ZodType>(schema: Schema, initial: z.infer<Schema>, control?: Control) => ({
  schema,
  initial,
  control,
})

const toggle = (initial: boolean, control: Control) => ({ schema: z.boolean(), initial, control })

/** @param labels by value, in display order */
const choice = <Labels extends Readonly<Record<string, string>>>(
  labels: Labels,
  initial: NoInfer<keyof Labels & string>,
  control: Control,
) => ({ schema: z.enum(Object.keys(labels) as (keyof Labels & string)[]), initial, labels, control })

/** Table of preferences: how each is stored, and how the settings and the palette show it. */
export const PREFERENCES = {
  theme: choice({ system: 'System', light: 'Light', dark: 'Dark' }, 'system', {
    section: 'appearance',
    label: 'Theme',
    words: 'appearance colours mode view',
  }),
  /** How to show e-mails with their own colours in the dark theme. */
  darkMail: choice({ dark: 'Dark', 'as-sent': 'As sent' }, 'dark', {
    section: 'appearance',
    label: 'Mail in the dark theme',
    hint: '“As sent” shows the sender’s colours on a white background. Each message has a button to switch.',
    words: 'night colours white view',
  }),
  density: choice({ compact: 'Compact', normal: 'Normal', roomy: 'Roomy' }, 'normal', {
    section: 'appearance',
    label: 'Density',
    words: 'rows size spacing view',
  }),
  font: choice({ inter: 'Inter', system: 'System' }, 'inter', { section: 'appearance', label: 'Font' }),
  textSize: choice({ small: 'Small', normal: 'Normal', large: 'Large', largest: 'Largest' }, 'normal', {
    section: 'appearance',
    label: 'Text size',
    words: 'font letters larger smaller zoom view',
  }),
  /** In per cent. Only for desktop windows, because browsers have their own zoom. */
  zoom: stored(
    z
      .int()
      .min(ZOOM_LEVELS[0])
      .max(ZOOM_LEVELS[ZOOM_LEVELS.length - 1] ?? DEFAULT_ZOOM),
    DEFAULT_ZOOM,
    { section: 'appearance', label: 'Zoom' },
  ),
  /** Position of the reading pane. With `off`, an open thread replaces the list. */
  readingPane: choice({ right: 'Right', below: 'Below', off: 'Off' }, 'right', {
    section: 'appearance',
    label: 'Reading pane',
    words: 'layout split preview view',
  }),
  splitInbox: toggle(false, {
    section: 'reading',
    label: 'Split inbox',
    hint: 'Tabs above the inbox: people, newsletters, robots, and saved searches you show as tabs.',
  }),
  /** The view after the open thread has left its list: the next older thread, the next newer one, or the list. */
  afterMoving: choice({ next: 'Next thread', previous: 'Previous thread', list: 'The list' }, 'next', {
    section: 'reading',
    label: 'After archiving',
    hint: 'What opens when you archive, move or delete the open thread.',
  }),
  markRead: choice({ 'at-once': 'At once', soon: 'After 2 seconds', never: 'Never' }, 'at-once', {
    section: 'reading',
    label: 'Mark as read',
    hint: 'When to mark an opened thread as read.',
    command: 'thread.read',
  }),
  plainText: choice({ proportional: 'Proportional', monospace: 'Monospace' }, 'proportional', {
    section: 'reading',
    label: 'Plain text',
    hint: 'Font for plain-text mail. Monospace keeps tables and ASCII art aligned.',
  }),
  /** Lists that show mail deleted by the platform: its former folders as well, or "Only here" alone. */
  keptInLists: choice({ always: 'In its folders', 'only-here': 'Only in “Only here”' }, 'always', {
    section: 'reading',
    label: 'Mail kept only here',
    hint: 'Where to list threads that the platform has deleted. Search always finds them.',
  }),
  /** The platform's folder for a thread that is snoozed locally. */
  snoozedThere: choice(
    { inbox: 'In the inbox, for others who share it', archive: 'In the archive until they return' },
    'inbox',
    {
      section: 'reading',
      label: 'Snoozed threads',
      hint: 'Where snoozed threads stay on the platform. In Linnet they are always in Snoozed.',
    },
  ),
  /** In seconds. */
  undoSend: choice({ '0': 'Off', '5': '5 seconds', '10': '10 seconds', '20': '20 seconds', '30': '30 seconds' }, '10', {
    section: 'sending',
    label: 'Undo send',
    hint: 'How long you can undo sending a message.',
  }),
  notify: choice({ all: 'All', chosen: 'Chosen', none: 'None' }, 'all', {
    section: 'notifications',
    label: 'New mail',
    hint: 'Notifications appear only while no Linnet window is in focus. They show the sender and subject.',
  }),
  /** For `notify: 'chosen'`: mail in these inboxes, and threads with labels of these names. */
  notifyInboxes: stored(z.array(z.string().min(1).max(512)).max(1_000).readonly(), []),
  notifyLabels: stored(z.array(z.string().min(1).max(256)).max(1_000).readonly(), []),
  /** No notifications during these hours; spans midnight if `to` is before `from`. */
  quietHours: stored(z.object({ from: minuteOfDay, to: minuteOfDay }).strict().readonly().nullable(), null),
  /** Shows a tray icon and keeps Linnet running without a window. */
  isInTray: stored(z.boolean(), false),
  /** `this` means the proxy in `proxyAddress`. */
  proxy: stored(z.enum(['system', 'none', 'this']), 'system'),
  /** Proxy address that `parseProxy` can parse, without name and password; null until typed. */
  proxyAddress: stored(z.string().min(1).max(512).nullable(), null),
  checkSpelling: toggle(true, {
    section: 'spelling',
    label: 'Check spelling',
    hint: 'Marks misspelt words in the subject and the message.',
    words: 'spell checker dictionary misspelt words writing languages',
  }),
  /** Null to use the system's languages. */
  spellingLanguages: stored(z.array(languageTag).max(SPELLING_LIMITS.languages).readonly().nullable(), null),
  looksForUpdates: stored(z.boolean(), false),
  sideBarWidth: stored(paneSize, null),
  listWidth: stored(paneSize, null),
  listHeight: stored(paneSize, null),
  /** Shows the contact panel next to the e-mail, if there is room. */
  isPersonShown: stored(z.boolean(), false),
  personWidth: stored(paneSize, null),
  /** Order of thread lists by kind: a folder's name, or `label`. Missing for newest first. */
  listOrders: stored(z.record(z.string().min(1).max(16), z.enum(LIST_ORDERS)).readonly(), {}),
  areLabelsShown: stored(z.boolean(), true),
  /** Only shortcuts that the user changed, formatted by `nameChord`. */
  keys: stored(z.record(commandId, z.array(z.string().min(1).max(64)).max(8).readonly()).readonly(), {}),
  /** Number of uses of each command palette entry. */
  commandUse: stored(z.record(commandId, z.number().min(0).max(1_000)).readonly(), {}),
  lastInboxes: stored(z.record(z.string().min(1).max(64), z.string().max(512)).readonly(), {}),
  /** Search of the last visited inbox tab, by account; missing if it was the entire inbox. */
  lastTabs: stored(z.record(z.string().min(1).max(64), z.string().max(4_000)).readonly(), {}),
  /** Written by versions that had one last inbox for all accounts. Used until an account has its own. */
  lastInbox: stored(z.string().max(512).nullable(), null),
  /** Open composers by account ID; the key "all" stands for "All inboxes". */
  openDrafts: stored(
    z.record(z.string().min(1).max(64), z.array(openDraft).max(MAX_REOPENED_DRAFTS).readonly()).readonly(),
    {},
  ),
  /** True once the first steps were dismissed. */
  isFirstDayDone: stored(z.boolean(), false),
  lastAccount: stored(z.string().max(64).nullable(), null),
} as const

export type PreferenceName = keyof typeof PREFERENCES
export const PREFERENCE_NAMES = Object.keys(PREFERENCES) as readonly PreferenceName[]

const mapPreferences = <Key extends 'schema' | 'initial'>(key: Key) =>
  Object.fromEntries(PREFERENCE_NAMES.map((name) => [name, PREFERENCES[name][key]])) as {
    readonly [Name in PreferenceName]: (typeof PREFERENCES)[Name][Key]
  }

const preferencesSchema = z.object(mapPreferences('schema')).strict()

export type Preferences = Readonly<z.infer<typeof preferencesSchema>>

export const DEFAULT_PREFERENCES: Preferences = mapPreferences('initial')

export interface Setting extends Control {
  readonly name: PreferenceName
  /** Labels by value; missing for one that is on or off. */
  readonly labels?: Readonly<Record<string, string>>
}

/** Preferences that have a control in the settings. */
export const SETTINGS: readonly Setting[] = PREFERENCE_NAMES.flatMap((name) => {
  const preference = PREFERENCES[name]
  if (preference.control === undefined) return []
  return { name, ...preference.control, ...('labels' in preference && { labels: preference.labels }) }
})

export const preferencesChangeSchema = preferencesSchema.partial()
export type PreferencesChange = Readonly<z.infer<typeof preferencesChangeSchema>>

export const withPreferences = (preferences: Preferences, change: PreferencesChange): Preferences => {
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  return { ...preferences, ...(Object.fromEntries(given) as Partial<Preferences>) }
}

export const isValidPreference = (name: PreferenceName, value: unknown): boolean =>
  preferencesSchema.shape[name].safeParse(value).success

/** Reads stored preferences. A missing or invalid one gets its default. */
export const readPreferences = (kept: (name: PreferenceName) => unknown): Preferences => {
  const sound = PREFERENCE_NAMES.map((name) => [name, kept(name)] as const).filter(([name, value]) =>
    isValidPreference(name, value),
  )
  return { ...DEFAULT_PREFERENCES, ...Object.fromEntries(sound) }
}
