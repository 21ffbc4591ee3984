/** The user's preferences for windows, independent of the account: stored by the host, and the same in every window. */
import { z } from 'zod'
import { PROXY_CHOICES } from './proxy.ts'
import { SPELLING_LIMITS } from './spelling.ts'
import { DEFAULT_ZOOM, ZOOM_LEVELS } from './zoom-steps.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export const DENSITIES = ['compact', 'normal', 'roomy'] as const
export const FONTS = ['inter', 'system'] as const
export const TEXT_SIZES = ['small', 'normal', 'large', 'largest'] as const
/** Position of the reading pane. With `off`, an open thread replaces the list. */
export const READING_PANES = ['right', 'below', 'off'] as const
/** The view after the open thread has left its list: the next older thread, the next newer one, or the list. */
export const AFTER_MOVE_ACTIONS = ['next', 'previous', 'list'] as const

/** When to mark an open thread as read: at once, after two seconds, or only on command. */
export const MARK_READ_TIMINGS = ['at-once', 'soon', 'never'] as const
export type MarkReadTiming = (typeof MARK_READ_TIMINGS)[number]
export const PLAIN_TEXT_FONTS = ['proportional', 'monospace'] as const
/** How to show e-mails with their own colours in the dark theme. */
export const DARK_MAIL_MODES = ['dark', 'as-sent'] as const

export const UNDO_SEND_SECONDS = ['0', '5', '10', '20', '30'] as const

/** The platform's folder for a thread that is snoozed locally. */
export const SNOOZED_SERVER_FOLDERS = ['inbox', 'archive'] as const
/** Lists that show mail deleted by the platform: its former folders as well, or "Only here" alone. */
export const LOCAL_ONLY_VISIBILITY = ['always', 'only-here'] as const

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

export const NOTIFY_CHOICES = ['all', 'chosen', 'none'] as const
/** Minutes since midnight, local time. */
const minuteOfDay = z.int().min(0).max(1_439)

const commandId = z.string().min(1).max(200)

export const preferencesSchema = z
  .object({
    theme: z.enum(THEMES),
    density: z.enum(DENSITIES),
    textSize: z.enum(TEXT_SIZES),
    font: z.enum(FONTS),
    /** In per cent. Only for desktop windows, because browsers have their own zoom. */
    zoom: z
      .int()
      .min(ZOOM_LEVELS[0])
      .max(ZOOM_LEVELS[ZOOM_LEVELS.length - 1] ?? DEFAULT_ZOOM),
    readingPane: z.enum(READING_PANES),
    listWidth: paneSize,
    listHeight: paneSize,
    /** Shows the contact panel next to the e-mail, if there is room. */
    isPersonShown: z.boolean(),
    personWidth: paneSize,
    areLabelsShown: z.boolean(),
    /** Shows tabs above the inbox: people, newsletters, robots, and chosen saved searches. */
    splitInbox: z.boolean(),
    afterMoving: z.enum(AFTER_MOVE_ACTIONS),
    markRead: z.enum(MARK_READ_TIMINGS),
    plainText: z.enum(PLAIN_TEXT_FONTS),
    darkMail: z.enum(DARK_MAIL_MODES),
    keptInLists: z.enum(LOCAL_ONLY_VISIBILITY),
    snoozedThere: z.enum(SNOOZED_SERVER_FOLDERS),
    undoSend: z.enum(UNDO_SEND_SECONDS),
    checkSpelling: z.boolean(),
    /** Null to use the system's languages. */
    spellingLanguages: z.array(languageTag).max(SPELLING_LIMITS.languages).readonly().nullable(),
    /** Only shortcuts that the user changed, formatted by `nameChord`. */
    keys: z.record(commandId, z.array(z.string().min(1).max(64)).max(8).readonly()).readonly(),
    /** Number of uses of each command palette entry. */
    commandUse: z.record(commandId, z.number().min(0).max(1_000)).readonly(),
    lastInboxes: z.record(z.string().min(1).max(64), z.string().max(512)).readonly(),
    /** Search of the last visited inbox tab, by account; missing if it was the entire inbox. */
    lastTabs: z.record(z.string().min(1).max(64), z.string().max(4_000)).readonly(),
    /** Written by versions that had one last inbox for all accounts. Used until an account has its own. */
    lastInbox: z.string().max(512).nullable(),
    notify: z.enum(NOTIFY_CHOICES),
    /** For `notify: 'chosen'`: mail in these inboxes, and threads with labels of these names. */
    notifyInboxes: z.array(z.string().min(1).max(512)).max(1_000).readonly(),
    notifyLabels: z.array(z.string().min(1).max(256)).max(1_000).readonly(),
    /** No notifications during these hours; spans midnight if `to` is before `from`. */
    quietHours: z.object({ from: minuteOfDay, to: minuteOfDay }).strict().readonly().nullable(),
    /** Open composers by account ID; the key "all" stands for "All inboxes". */
    openDrafts: z.record(z.string().min(1).max(64), z.array(openDraft).max(MAX_REOPENED_DRAFTS).readonly()).readonly(),
    /** Shows a tray icon and keeps Linnet running without a window. */
    isInTray: z.boolean(),
    proxy: z.enum(PROXY_CHOICES),
    /** Proxy address that `parseProxy` can parse, without name and password; null until typed. */
    proxyAddress: z.string().min(1).max(512).nullable(),
    looksForUpdates: z.boolean(),
    /** True once the first steps were dismissed. */
    isFirstDayDone: z.boolean(),
    lastAccount: z.string().max(64).nullable(),
  })
  .strict()

export type Preferences = Readonly<z.infer<typeof preferencesSchema>>

export const DEFAULT_PREFERENCES: Preferences = {
  theme: 'system',
  density: 'normal',
  textSize: 'normal',
  font: 'inter',
  zoom: DEFAULT_ZOOM,
  readingPane: 'right',
  listWidth: null,
  listHeight: null,
  isPersonShown: false,
  personWidth: null,
  areLabelsShown: true,
  splitInbox: false,
  afterMoving: 'next',
  markRead: 'at-once',
  plainText: 'proportional',
  darkMail: 'dark',
  keptInLists: 'always',
  snoozedThere: 'inbox',
  undoSend: '10',
  checkSpelling: true,
  spellingLanguages: null,
  keys: {},
  commandUse: {},
  lastInboxes: {},
  lastTabs: {},
  lastInbox: null,
  notify: 'all',
  notifyInboxes: [],
  notifyLabels: [],
  quietHours: null,
  openDrafts: {},
  isInTray: false,
  proxy: 'system',
  proxyAddress: null,
  looksForUpdates: false,
  isFirstDayDone: false,
  lastAccount: null,
}

export const preferencesChangeSchema = preferencesSchema.partial()
export type PreferencesChange = Readonly<z.infer<typeof preferencesChangeSchema>>

export const withPreferences = (preferences: Preferences, change: PreferencesChange): Preferences => {
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  return { ...preferences, ...(Object.fromEntries(given) as Partial<Preferences>) }
}

export type PreferenceName = keyof Preferences
export const PREFERENCE_NAMES = Object.keys(DEFAULT_PREFERENCES) as readonly PreferenceName[]

export const isValidPreference = (name: PreferenceName, value: unknown): boolean =>
  preferencesSchema.shape[name].safeParse(value).success

/** Reads stored preferences. A missing or invalid one gets its default. */
export const readPreferences = (kept: (name: PreferenceName) => unknown): Preferences => {
  const sound = PREFERENCE_NAMES.map((name) => [name, kept(name)] as const).filter(([name, value]) =>
    isValidPreference(name, value),
  )
  return { ...DEFAULT_PREFERENCES, ...Object.fromEntries(sound) }
}
