import AlarmClock from '@lucide/svelte/icons/alarm-clock'
import Star from '@lucide/svelte/icons/star'
import type { Component } from 'svelte'
import type { Command } from '../../kernel/commands.ts'

interface MarkList extends Pick<Command, 'id' | 'name' | 'words' | 'keys'> {
  readonly icon: Component
  readonly mark: 'starred' | 'snoozed'
  readonly query: string
}

/** Lists that appear in the side bar if they have entries. */
export const MARK_LISTS: readonly MarkList[] = [
  {
    id: 'go.starred',
    mark: 'starred',
    name: 'Starred',
    query: 'is:starred',
    icon: Star,
    keys: ['g s'],
    words: 'star flag favourite favorite',
  },
  {
    id: 'go.snoozed',
    mark: 'snoozed',
    name: 'Snoozed',
    query: 'in:snoozed',
    icon: AlarmClock,
    keys: ['g h'],
    words: 'later postponed waiting',
  },
]

export const findMarkList = (query: string): MarkList | undefined =>
  MARK_LISTS.find((list) => list.query === query.trim())
