import Link2 from '@lucide/svelte/icons/link-2'
import type { Command, CommandContext } from '../../kernel/commands.ts'

const isReading = ({ navigator }: CommandContext): boolean => navigator.isReading

/** Scrolls what is being read; at its end goes on to the next. */
const readOn = ({ navigator, session }: CommandContext, direction: 1 | -1): void => {
  if (!session.reading.scroll(direction)) navigator.step(direction)
}

/** Opens the dialog "Share link" for the newest e-mail of the open thread. */
export const shareNewest: Command = {
  id: 'reader.share',
  name: 'Share link',
  words: 'publish send url e-mail',
  group: 'Actions',
  icon: Link2,
  keys: [],
  when: ({ session }) => (session.conversation.conversation?.emails.length ?? 0) > 0,
  run: ({ session }) => {
    const newest = session.conversation.conversation?.emails.at(-1)
    if (newest !== undefined) session.shareLink.open(newest)
  },
}

export const READER_COMMANDS: readonly Command[] = [
  {
    id: 'reader.foldEmail',
    name: 'Unfold or fold the e-mail',
    words: 'expand collapse',
    group: 'Reading',
    keys: ['Enter', 'o'],
    when: ({ session }) => session.reading.emailInFocus !== null,
    run: ({ session }) => session.reading.fold(),
  },
  {
    id: 'reader.nextEmail',
    name: 'Next e-mail of the thread',
    words: 'newer message down',
    group: 'Reading',
    keys: ['n'],
    when: ({ session }) => session.conversation.conversation !== null,
    run: ({ session }) => session.reading.goToEmail(1),
  },
  {
    id: 'reader.previousEmail',
    name: 'Previous e-mail of the thread',
    words: 'older message up',
    group: 'Reading',
    keys: ['p'],
    when: ({ session }) => session.conversation.conversation !== null,
    run: ({ session }) => session.reading.goToEmail(-1),
  },
  {
    id: 'reader.on',
    name: 'Read on, then next thread',
    words: 'scroll page down',
    group: 'Reading',
    keys: ['Space'],
    when: ({ navigator }) => navigator.hasList,
    run: (context) => {
      if (context.navigator.isReading) readOn(context, 1)
      else context.navigator.openAtCursor()
    },
  },
  {
    id: 'reader.back',
    name: 'Read back',
    words: 'scroll page up',
    group: 'Reading',
    keys: ['Shift+Space'],
    when: isReading,
    run: (context) => readOn(context, -1),
  },
  {
    id: 'reader.pageDown',
    name: 'Scroll down',
    words: 'page',
    group: 'Reading',
    keys: ['PageDown'],
    when: isReading,
    run: ({ session }) => void session.reading.scroll(1),
  },
  {
    id: 'reader.pageUp',
    name: 'Scroll up',
    words: 'page',
    group: 'Reading',
    keys: ['PageUp'],
    when: isReading,
    run: ({ session }) => void session.reading.scroll(-1),
  },
]
