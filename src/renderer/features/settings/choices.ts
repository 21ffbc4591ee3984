import type {
  AfterMoving,
  DarkMail,
  Density,
  KeptInLists,
  MarkRead,
  Notify,
  PlainTextLetters,
  ReadingPane,
  TextSize,
  Theme,
  SnoozedThere,
  UndoSend,
} from '../../../shared/preferences.ts'
import type { ProxyChoice } from '../../../shared/proxy.ts'
import type { ZoomStep } from '../../../shared/zoom-steps.ts'

/** What can be chosen of the window, in the words of the settings and, where a command does it, of that command. */
export const THEME_LABELS: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' }
export const DENSITY_LABELS: Readonly<Record<Density, string>> = {
  compact: 'Compact',
  normal: 'Normal',
  roomy: 'Roomy',
}
export const TEXT_SIZE_LABELS: Readonly<Record<TextSize, string>> = {
  small: 'Small',
  normal: 'Normal',
  large: 'Large',
  largest: 'Largest',
}
export const READING_PANE_LABELS: Readonly<Record<ReadingPane, string>> = {
  right: 'Right',
  below: 'Below',
  off: 'Off',
}
export const AFTER_MOVING_LABELS: Readonly<Record<AfterMoving, string>> = {
  next: 'Next thread',
  previous: 'Previous thread',
  list: 'The list',
}

export const ZOOM_LABELS: Readonly<Record<ZoomStep, string>> = {
  in: 'Zoom in',
  out: 'Zoom out',
  reset: 'Actual size',
}

/** Of whose new mail the desktop tells. */
export const NOTIFY_LABELS: Readonly<Record<Notify, string>> = { all: 'All', chosen: 'Chosen', none: 'None' }

export const PROXY_LABELS: Readonly<Record<ProxyChoice, string>> = {
  system: 'System',
  none: 'None',
  this: 'Manual',
}

export const MARK_READ_LABELS: Readonly<Record<MarkRead, string>> = {
  'at-once': 'At once',
  soon: 'After 2 seconds',
  never: 'Never',
}
export const PLAIN_TEXT_LABELS: Readonly<Record<PlainTextLetters, string>> = {
  proportional: 'Proportional',
  monospace: 'Monospace',
}

export const DARK_MAIL_LABELS: Readonly<Record<DarkMail, string>> = { dark: 'Dark', 'as-sent': 'As sent' }

export const KEPT_IN_LISTS_LABELS: Readonly<Record<KeptInLists, string>> = {
  always: 'In its folders',
  'only-here': 'Only in “Only here”',
}

export const SNOOZED_THERE_LABELS: Readonly<Record<SnoozedThere, string>> = {
  inbox: 'In the inbox, as others share it',
  archive: 'In the archive until then',
}

export const UNDO_SEND_LABELS: Readonly<Record<UndoSend, string>> = {
  '0': 'Off',
  '5': '5 seconds',
  '10': '10 seconds',
  '20': '20 seconds',
  '30': '30 seconds',
}

/** The options of a choice, in the order of their values. */
export const optionsOf = <Value extends string>(
  values: readonly Value[],
  labels: Readonly<Record<Value, string>>,
): readonly { readonly value: Value; readonly label: string }[] =>
  values.map((value) => ({ value, label: labels[value] }))
