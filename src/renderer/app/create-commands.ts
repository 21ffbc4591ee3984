import { contactsScreen } from '../features/contacts/screen.ts'
import { receivedScreen } from '../features/received/screen.ts'
import { sentScreen } from '../features/sent/screen.ts'
import { shareLinksScreen } from '../features/share-links/screen.ts'
import { settingsScreen } from '../features/settings/screen.ts'
import { threadsScreen } from '../features/thread-list/screen.ts'
import { Commands } from '../kernel/commands.ts'
import { draftsScreen, outboxScreen, writeScreen } from '../features/writing/screens.ts'
import type { Frame } from '../kernel/frame.ts'
import { Keymap } from '../kernel/keymap.svelte.ts'
import { modKeyOf } from '../kernel/name-key.ts'
import { Navigator } from '../kernel/navigator.ts'
import type { Session, Shell } from '../kernel/session.ts'
import { COMMANDS } from './commands.ts'

/** Puts together what the window can do: the screens of all features, and every command. */
export const createCommands = (shell: Shell, session: Session, frame: Frame): Commands => {
  const screens = [
    threadsScreen({ shell, session }),
    contactsScreen(session),
    receivedScreen(session),
    sentScreen(session),
    draftsScreen(session),
    outboxScreen(session),
    writeScreen,
    shareLinksScreen(session),
    settingsScreen,
  ]
  return new Commands(COMMANDS, new Keymap(COMMANDS, shell.preferences, modKeyOf(navigator.platform)), {
    shell,
    session,
    frame,
    navigator: new Navigator(shell.route, screens, frame),
  })
}
