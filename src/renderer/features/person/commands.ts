import MailCheck from '@lucide/svelte/icons/mail-check'
import User from '@lucide/svelte/icons/contact-round'
import type { Command, CommandContext } from '../../kernel/commands.ts'
import { isEmailListRoute, isThreadRoute, type Route } from '../../kernel/route.ts'
import { MediaQuery } from 'svelte/reactivity'
import { askToUnsuppress } from '../suppressions/suppressions-manager.svelte.ts'

/** Minimum window width for the contact panel to fit next to the mail. */
const WIDE = 'width >= 1280px'
let wide: MediaQuery | null = null

/** True if the contact panel fits next to the mail. Reactive. */
export const fitsSidePanel = (): boolean => {
  // Created lazily, since it needs a window.
  wide ??= new MediaQuery(WIDE)
  return wide.current
}

export const isMailRoute = (route: Route): boolean => isThreadRoute(route) || isEmailListRoute(route)

/** Toggles the contact panel: next to the mail, or over it in narrow windows. */
export const togglePerson: Command = {
  id: 'person.toggle',
  name: 'Show contact',
  words: 'hide who is writing person panel sender topics information',
  group: 'View',
  icon: User,
  keys: ['Mod+i'],
  when: ({ shell, navigator }) => isMailRoute(shell.route.current) && navigator.isReading,
  disabledReason: ({ shell }) => (isMailRoute(shell.route.current) ? 'Open a message first to see its contact.' : null),
  run: ({ shell, session }) => {
    if (fitsSidePanel()) void shell.preferences.choose({ isPersonShown: !shell.preferences.values.isPersonShown })
    else session.person.showSheet(!session.person.isSheetOpen)
  },
}

/** First among the Escape commands, as the sheet covers the mail. */
const closePerson: Command = {
  id: 'person.close',
  name: 'Hide contact',
  words: 'contact person panel hide',
  group: 'View',
  keys: ['Escape'],
  when: ({ session }) => session.person.isSheetOpen,
  run: ({ session }) => session.person.showSheet(false),
}

/** The displayed person's suppression. Null if no person is displayed, or mail to them isn't suppressed. */
const suppressedPerson = ({ session: { person } }: CommandContext) => {
  const { address, suppression } = person.shown?.person.suppressed ?? { address: '', suppression: null }
  return suppression === null ? null : { address, suppression }
}

const removeSuppression: Command = {
  id: 'person.removeSuppression',
  name: 'Remove contact from suppression list…',
  words: 'bounce complaint blocked returned not delivered send again allow',
  group: 'Actions',
  icon: MailCheck,
  when: (context) => suppressedPerson(context) !== null,
  run: (context) => {
    const suppressed = suppressedPerson(context)
    if (suppressed !== null) askToUnsuppress(context, suppressed.address, suppressed.suppression)
  },
}

export const PERSON_COMMANDS: readonly Command[] = [closePerson, togglePerson, removeSuppression]
