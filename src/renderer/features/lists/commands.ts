import ArrowDown from '@lucide/svelte/icons/arrow-down'
import ArrowLeft from '@lucide/svelte/icons/arrow-left'
import ArrowUp from '@lucide/svelte/icons/arrow-up'
import ArrowUpToLine from '@lucide/svelte/icons/arrow-up-to-line'
import SquareArrowRight from '@lucide/svelte/icons/square-arrow-right'
import type { Command, CommandContext } from '../../kernel/commands.ts'
import { NEXT_ROW, PREVIOUS_ROW } from './row-navigation.ts'

const hasList = ({ navigator }: CommandContext): boolean => navigator.hasList

export const backToList: Command = {
  id: 'list.back',
  name: 'Back to the list',
  words: 'close return leave escape',
  group: 'Threads',
  icon: ArrowLeft,
  keys: ['Escape', 'u'],
  when: ({ navigator }) => navigator.canGoBack,
  run: ({ navigator }) => navigator.back(),
}

export const openThread: Command = {
  id: 'list.open',
  name: 'Open the thread',
  words: 'read show',
  group: 'Threads',
  icon: SquareArrowRight,
  keys: ['Enter', 'o'],
  when: hasList,
  run: ({ navigator }) => navigator.openAtCursor(),
}

export const LIST_COMMANDS: readonly Command[] = [
  {
    id: NEXT_ROW.id,
    name: 'Next thread',
    words: 'down older below row',
    group: 'Threads',
    icon: ArrowDown,
    keys: NEXT_ROW.keys,
    when: hasList,
    run: ({ navigator }) => navigator.step(NEXT_ROW.step),
  },
  {
    id: PREVIOUS_ROW.id,
    name: 'Previous thread',
    words: 'up newer above row',
    group: 'Threads',
    icon: ArrowUp,
    keys: PREVIOUS_ROW.keys,
    when: hasList,
    run: ({ navigator }) => navigator.step(PREVIOUS_ROW.step),
  },
  openThread,
  {
    id: 'list.top',
    name: 'Top of the list',
    words: 'newest first newer above start',
    group: 'Threads',
    icon: ArrowUpToLine,
    keys: ['.'],
    when: hasList,
    run: ({ navigator }) => navigator.goToTop(),
  },
  backToList,
]
