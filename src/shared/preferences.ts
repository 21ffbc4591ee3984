/** What a person has chosen of the window itself, whatever the account: kept by the host, the same in every window. */
import { z } from 'zod'
import { PROXY_CHOICES } from './proxy.ts'
import { SPELLING_LIMITS } from './spelling.ts'
import { ACTUAL_SIZE, ZOOMS } from './zoom-steps.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export const DENSITIES = ['compact', 'normal', 'roomy'] as const
export const FONTS = ['inter', 'system'] as const
export const TEXT_SIZES = ['small', 'normal', 'large', 'largest'] as const
/** Where what is open is read: beside the list, below it, or in its place. */
export const READING_PANES = ['right', 'below', 'off'] as const
/** What is shown when the open thread has left its list: the next older one, the next newer one, or the list. */
export const AFTER_MOVING = ['next', 'previous', 'list'] as const

/** When an unread thread that is open is marked as read: as soon as it is seen, after two seconds, or only when told. */
export const MARK_READ = ['at-once', 'soon', 'never'] as const
export type MarkRead = (typeof MARK_READ)[number]
/** Font of plain-text mail. */
export const PLAIN_TEXTS = ['proportional', 'monospace'] as const
/** In the dark theme: e-mails that bring colours of their own are drawn dark, or as they were sent. */
export const DARK_MAIL = ['dark', 'as-sent'] as const

/** Seconds in which a message that was sent can be taken back. */
export const UNDO_SEND = ['0', '5', '10', '20', '30'] as const

/** Where the platform has a thread that is snoozed here. */
export const SNOOZED_THERE = ['inbox', 'archive'] as const
/** Where mail is listed that the platform has deleted: in its folders as well, or in "Only here" alone. */
export const KEPT_IN_LISTS = ['always', 'only-here'] as const

/** Pixels of a pane; null until a person has moved its edge. */
const paneSize = z.number().min(0).max(100_000).nullable()
const languageTag = z.string().min(2).max(35)
const openDraft = z
  .object({
    /** That of all accounts together says whose it is as well. */
    draftId: z.string().min(1).max(2_000),
    /** In a pane of its own, not below the e-mail that is answered. */
    isApart: z.boolean(),
    /** As a tab alone. */
    isMinimised: z.boolean(),
  })
  .strict()
export type OpenDraft = Readonly<z.infer<typeof openDraft>>
/** More than these are not open again after a start: they are in Drafts. */
export const OPEN_DRAFTS = 20

/** Of whose new mail the desktop tells. */
export const NOTIFY = ['all', 'chosen', 'none'] as const
/** Minutes since midnight, on the computer's own clock. */
const minuteOfDay = z.int().min(0).max(1_439)

const commandId = z.string().min(1).max(200)

export const preferencesSchema = z
  .object({
    theme: z.enum(THEMES),
    density: z.enum(DENSITIES),
    textSize: z.enum(TEXT_SIZES),
    font: z.enum(FONTS),
    /** Per cent; of a window of the desktop, as a browser has its own. */
    zoom: z
      .int()
      .min(ZOOMS[0])
      .max(ZOOMS[ZOOMS.length - 1] ?? ACTUAL_SIZE),
    readingPane: z.enum(READING_PANES),
    /** Of the list beside what is read. */
    listWidth: paneSize,
    /** Of the list above what is read. */
    listHeight: paneSize,
    /** Whether the person of what is read stands beside it, where there is room. */
    isPersonShown: z.boolean(),
    personWidth: paneSize,
    /** Whether the side bar lists the labels. */
    areLabelsShown: z.boolean(),
    /** Whether tabs stand over the inbox: people, newsletters, robots, and saved searches that are tabs. */
    splitInbox: z.boolean(),
    afterMoving: z.enum(AFTER_MOVING),
    markRead: z.enum(MARK_READ),
    plainText: z.enum(PLAIN_TEXTS),
    darkMail: z.enum(DARK_MAIL),
    keptInLists: z.enum(KEPT_IN_LISTS),
    snoozedThere: z.enum(SNOOZED_THERE),
    undoSend: z.enum(UNDO_SEND),
    /** Whether what is written is checked for its spelling. */
    checkSpelling: z.boolean(),
    /** Of the check; null for those of the system. */
    spellingLanguages: z.array(languageTag).max(SPELLING_LIMITS.languages).readonly().nullable(),
    /** The keys of commands that are not those that Linnet brings, as `nameChord` names them. */
    keys: z.record(commandId, z.array(z.string().min(1).max(64)).max(8).readonly()).readonly(),
    /** How often entries of the palette were chosen. */
    commandUse: z.record(commandId, z.number().min(0).max(1_000)).readonly(),
    /** The inbox of the last visit, by the account that it is of. */
    lastInboxes: z.record(z.string().min(1).max(64), z.string().max(512)).readonly(),
    /** The search of the tab of the last visit over the inbox, by the account; none for the whole inbox. */
    lastTabs: z.record(z.string().min(1).max(64), z.string().max(4_000)).readonly(),
    /** That of a Linnet that kept one for all accounts: it holds for an account until it has one of its own. */
    lastInbox: z.string().max(512).nullable(),
    notify: z.enum(NOTIFY),
    /** Where it is `chosen`: of mail in these inboxes, and of threads with labels of these names. */
    notifyInboxes: z.array(z.string().min(1).max(512)).max(1_000).readonly(),
    notifyLabels: z.array(z.string().min(1).max(256)).max(1_000).readonly(),
    /** In which nothing is told; over midnight where `to` is before `from`. */
    quietHours: z.object({ from: minuteOfDay, to: minuteOfDay }).strict().readonly().nullable(),
    /** The composers that are open, by the account that is shown; that of all accounts together is "all". */
    openDrafts: z.record(z.string().min(1).max(64), z.array(openDraft).max(OPEN_DRAFTS).readonly()).readonly(),
    /** Whether Linnet's sign stands in the system's tray, and Linnet goes on without a window. */
    isInTray: z.boolean(),
    /** How servers are reached: as the system says, directly, or by the proxy below. */
    proxy: z.enum(PROXY_CHOICES),
    /** As `readProxy` reads it, without a name and a password; null until one was typed. */
    proxyAddress: z.string().min(1).max(512).nullable(),
    /** Whether Linnet asks for new versions of itself. */
    looksForUpdates: z.boolean(),
    /** Whether the first steps were put away. */
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
  zoom: ACTUAL_SIZE,
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

/** What is given of it, each in the place of what was there. */
export const preferencesChangeSchema = preferencesSchema.partial()
export type PreferencesChange = Readonly<z.infer<typeof preferencesChangeSchema>>

export const withPreferences = (preferences: Preferences, change: PreferencesChange): Preferences => {
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  return { ...preferences, ...(Object.fromEntries(given) as Partial<Preferences>) }
}

export type PreferenceName = keyof Preferences
export const PREFERENCE_NAMES = Object.keys(DEFAULT_PREFERENCES) as readonly PreferenceName[]

export const isPreference = (name: PreferenceName, value: unknown): boolean =>
  preferencesSchema.shape[name].safeParse(value).success

/** What was kept, whatever was found: what is missing or cannot be read is the default, each on its own. */
export const readPreferences = (kept: (name: PreferenceName) => unknown): Preferences => {
  const sound = PREFERENCE_NAMES.map((name) => [name, kept(name)] as const).filter(([name, value]) =>
    isPreference(name, value),
  )
  return { ...DEFAULT_PREFERENCES, ...Object.fromEntries(sound) }
}
