import { SvelteMap } from 'svelte/reactivity'
import type { InboxAgent, AgentSettings } from '../../../shared/agent.ts'
import type { Problem, Result } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { ActionResult, ThreadActionsManager } from '../threads/thread-actions-manager.svelte.ts'

interface EditedAgent {
  readonly inboxId: string
  readonly address: string
}

/** The inboxes' agent settings: read when viewed, and changed on the platform at once. */
export class AgentsManager {
  readonly #backend: Pick<Backend, 'call'>
  readonly #actions: Pick<ThreadActionsManager, 'make'>
  readonly #known = new SvelteMap<string, InboxAgent>()
  edited = $state.raw<EditedAgent | null>(null)
  problem = $state.raw<Problem | null>(null)
  isBusy = $state(false)

  constructor(backend: Pick<Backend, 'call'>, actions: Pick<ThreadActionsManager, 'make'>) {
    this.#backend = backend
    this.#actions = actions
  }

  of(inboxId: string): InboxAgent | undefined {
    return this.#known.get(inboxId)
  }

  /** Reads the stored settings, without a request. */
  async read(inboxIds: readonly string[]): Promise<void> {
    await Promise.all(
      inboxIds.map(async (inboxId) => {
        const result = await this.#backend.call('agent.get', { inboxId, cacheOnly: true })
        if (result.ok && !this.#known.has(inboxId)) this.#known.set(inboxId, result.data)
      }),
    )
  }

  async open(edited: EditedAgent): Promise<void> {
    this.edited = edited
    this.problem = null
    const result = await this.#backend.call('agent.get', { inboxId: edited.inboxId })
    if (result.ok) this.#known.set(edited.inboxId, result.data)
    else if (this.edited === edited) this.problem = result.error
  }

  close(): void {
    this.edited = null
    this.problem = null
  }

  /** Saves the open agent's settings as an undoable action. */
  async save(wanted: AgentSettings): Promise<void> {
    const edited = this.edited
    const before = edited === null ? null : (this.#known.get(edited.inboxId)?.settings ?? null)
    if (edited === null || before === null) return
    this.isBusy = true
    this.problem = null
    const isSaved = await this.#actions.make(
      {
        of: 'agent',
        make: () => this.#set(edited.inboxId, before, wanted),
        onRejected: (problem) => {
          this.problem = problem
        },
      },
      {
        done: `Changed the agent for ${edited.address}`,
        undone: `Restored the agent’s settings for ${edited.address}`,
      },
    )
    this.isBusy = false
    if (isSaved && this.edited === edited) this.close()
  }

  async #set(inboxId: string, from: AgentSettings, to: AgentSettings): Promise<Result<ActionResult>> {
    const change = {
      ...(to.instructions !== from.instructions && { instructions: to.instructions }),
      ...(to.tone !== from.tone && { tone: to.tone }),
      ...(JSON.stringify(to.actions) !== JSON.stringify(from.actions) && { actions: [...to.actions] }),
    }
    const expected = { ...from, actions: [...from.actions] }
    const result = await this.#backend.call('agent.set', { inboxId, change, expected })
    if (!result.ok) {
      // Load the current settings for the user's next decision.
      if (result.error.code === 'conflict') void this.open(this.edited ?? { inboxId, address: '' })
      return result
    }
    const settings = result.data
    this.#known.set(inboxId, { settings, freshness: { state: 'live', at: Date.now() }, isOffered: true })
    return { ok: true, data: { changeIds: [], threads: null, revert: () => this.#set(inboxId, settings, from) } }
  }
}
