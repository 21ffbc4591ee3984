import AlarmClock from '@lucide/svelte/icons/alarm-clock'
import Star from '@lucide/svelte/icons/star'
import type { Component } from 'svelte'
import type { Command } from '../../kernel/commands.ts'

interface MarkList extends Pick<Command, 'id' | 'name' | 'words' | 'keys'> {
  readonly icon: Component
  readonly mark: 'starred' | 'snoozed'
  /** As a person types it. */
  readonly query: string
}

/** Lists that the side bar has where there is something in them. */
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

/** Which of them a search is; undefined for any other. */
export const markListAt = (query: string): MarkList | undefined =>
  MARK_LISTS.find((list) => list.query === query.trim())
