import type { PreferenceName, Preferences } from '../../../shared/preferences.ts'
import type { ZoomStep } from '../../../shared/zoom-steps.ts'

type Labels<Name extends PreferenceName> = Readonly<Record<Preferences[Name] & string, string>>

/** Shared by the settings and the commands. */
export const THEME_LABELS: Labels<'theme'> = { system: 'System', light: 'Light', dark: 'Dark' }
export const DENSITY_LABELS: Labels<'density'> = {
  compact: 'Compact',
  normal: 'Normal',
  roomy: 'Roomy',
}
export const TEXT_SIZE_LABELS: Labels<'textSize'> = {
  small: 'Small',
  normal: 'Normal',
  large: 'Large',
  largest: 'Largest',
}
export const FONT_LABELS: Labels<'font'> = { inter: 'Inter', system: 'System' }
export const READING_PANE_LABELS: Labels<'readingPane'> = {
  right: 'Right',
  below: 'Below',
  off: 'Off',
}
export const AFTER_MOVING_LABELS: Labels<'afterMoving'> = {
  next: 'Next thread',
  previous: 'Previous thread',
  list: 'The list',
}

export const ZOOM_LABELS: Readonly<Record<ZoomStep, string>> = {
  in: 'Zoom in',
  out: 'Zoom out',
  reset: 'Actual size',
}

export const NOTIFY_LABELS: Labels<'notify'> = { all: 'All', chosen: 'Chosen', none: 'None' }

export const PROXY_LABELS: Labels<'proxy'> = {
  system: 'System',
  none: 'None',
  this: 'Manual',
}

export const MARK_READ_LABELS: Labels<'markRead'> = {
  'at-once': 'At once',
  soon: 'After 2 seconds',
  never: 'Never',
}
export const PLAIN_TEXT_LABELS: Labels<'plainText'> = {
  proportional: 'Proportional',
  monospace: 'Monospace',
}

export const DARK_MAIL_LABELS: Labels<'darkMail'> = { dark: 'Dark', 'as-sent': 'As sent' }

export const KEPT_IN_LISTS_LABELS: Labels<'keptInLists'> = {
  always: 'In its folders',
  'only-here': 'Only in “Only here”',
}

export const SNOOZED_THERE_LABELS: Labels<'snoozedThere'> = {
  inbox: 'In the inbox, for others who share it',
  archive: 'In the archive until they return',
}

export const UNDO_SEND_LABELS: Labels<'undoSend'> = {
  '0': 'Off',
  '5': '5 seconds',
  '10': '10 seconds',
  '20': '20 seconds',
  '30': '30 seconds',
}

export const toSelectOptions = <Value extends string>(
  values: readonly Value[],
  labels: Readonly<Record<Value, string>>,
): readonly { readonly value: Value; readonly label: string }[] =>
  values.map((value) => ({ value, label: labels[value] }))
