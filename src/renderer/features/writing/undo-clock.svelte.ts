import type { DraftSummary } from '../../../shared/drafts.ts'

const SECOND_MS = 1_000

/** The current time, updated every second while sending any of the drafts can be undone. Create it in a component. */
export class UndoClock {
  now = $state(Date.now())

  constructor(drafts: () => readonly Pick<DraftSummary, 'state'>[]) {
    const isWaiting = $derived(drafts().some(({ state }) => state.kind === 'held' && state.at !== null))
    $effect(() => {
      if (!isWaiting) return
      this.now = Date.now()
      const timer = setInterval(() => (this.now = Date.now()), SECOND_MS)
      return () => clearInterval(timer)
    })
  }
}
