import {
  DEFAULT_PREFERENCES,
  isPreference,
  PREFERENCE_NAMES,
  type PreferenceName,
  type PreferencesChange,
} from '../../shared/preferences.ts'
import type { PreferencesManager } from './preferences-manager.svelte.ts'

/** Where earlier versions of Linnet kept a person's choices: in the window's own storage, before the host kept them. */
const FORMER = {
  appearance: 'linnet.appearance',
  keys: 'linnet.keys',
  commandUse: 'linnet.command-use',
  lastInbox: 'linnet.inbox',
} as const

type Found = Readonly<Record<string, unknown>>

/** What was kept as JSON; empty where it is none, as what Linnet did not write. */
const readObject = (kept: string | null): Found => {
  try {
    const found: unknown = JSON.parse(kept ?? '{}')
    return typeof found === 'object' && found !== null && !Array.isArray(found) ? { ...found } : {}
  } catch {
    return {}
  }
}

/** The entries that can be kept, each on its own. */
const soundEntries = (name: 'keys' | 'commandUse', found: Found): Found =>
  Object.fromEntries(Object.entries(found).filter(([id, value]) => isPreference(name, { [id]: value })))

const readFormer = (storage: Storage): Found => {
  const { density, ...appearance } = readObject(storage.getItem(FORMER.appearance))
  return {
    ...appearance,
    // Its name of then.
    density: density === 'cosy' ? 'normal' : density,
    keys: soundEntries('keys', readObject(storage.getItem(FORMER.keys))),
    commandUse: soundEntries('commandUse', readObject(storage.getItem(FORMER.commandUse))),
    lastInbox: storage.getItem(FORMER.lastInbox),
  }
}

/**
 * Has the host keep what a person chose in an earlier version, once: what cannot be read is left out, and what has been
 * chosen since stays. Where the host cannot keep it, it stays where it is for the next start.
 */
export const carryOverChoices = async (storage: Storage, preferences: PreferencesManager): Promise<void> => {
  const places = Object.values(FORMER)
  if (places.every((place) => storage.getItem(place) === null)) return
  const former = readFormer(storage)
  const isChoice = (name: PreferenceName, value: unknown): boolean =>
    isPreference(name, value) && JSON.stringify(value) !== JSON.stringify(DEFAULT_PREFERENCES[name])
  const names = PREFERENCE_NAMES.filter(
    (name) => isChoice(name, former[name]) && !isChoice(name, preferences.values[name]),
  )
  const change: PreferencesChange = Object.fromEntries(names.map((name) => [name, former[name]]))
  const isKept = names.length === 0 || (await preferences.choose(change))
  if (isKept) for (const place of places) storage.removeItem(place)
}
