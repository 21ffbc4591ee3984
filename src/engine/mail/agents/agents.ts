import {
  MAX_AGENT_INSTRUCTION_CHARS,
  type AgentSettingsChange,
  type InboxAgent,
  type AgentSettings,
} from '../../../shared/agent.ts'
import { z } from 'zod'
import { parseJsonAs } from '../../../shared/parse-json.ts'
import type { Freshness } from '../../../shared/model.ts'
import type { MailPlatform } from '../../platform/mail-platform.ts'
import { PlatformRefusalError, UnreachableError } from '../../platform/platform-problem.ts'
import type { CallOptions } from '../../platform/requests.ts'
import { withMessage } from '../../platform/problem.ts'
import type { Cache } from '../../store/cache.ts'
import type { Clock } from '../../timing/clock.ts'
import { createProblem } from '../../../shared/result.ts'

interface StoredAgent {
  readonly at: number
  readonly settings: AgentSettings
}

const storedAgent = z.custom<StoredAgent>((value) => value !== null)
const keyOf = (inboxId: string): string => `agent ${inboxId}`
const CHANGED_ELSEWHERE = 'The agent’s settings were changed elsewhere. Your changes were not saved.'

/** Also true for 403, because not every user has access to this part of the platform. */
const isNotOffered = (thrown: unknown): boolean =>
  thrown instanceof PlatformRefusalError && [403, 404, 405].includes(thrown.status)

const areSame = (one: AgentSettings, other: AgentSettings): boolean =>
  one.instructions === other.instructions &&
  one.tone === other.tone &&
  one.actions.length === other.actions.length &&
  one.actions.every((action) => other.actions.includes(action))

interface AgentParts {
  readonly platform: Pick<MailPlatform, 'getAgent' | 'setAgent'>
  readonly cache: Pick<Cache, 'accountMeta'>
  readonly clock: Pick<Clock, 'now'>
}

/**
 * Agent settings, stored on the platform and shared by the team. Read on demand and cached for offline use. Changes are
 * never queued.
 */
export class Agents {
  readonly #parts: AgentParts
  /** Inboxes without an agent on the platform. */
  readonly #inboxesWithoutAgent = new Set<string>()

  constructor(parts: AgentParts) {
    this.#parts = parts
  }

  /** Cached settings. @param freshness converts a fetch time to a freshness */
  of(inboxId: string, freshness: (at: number | null) => Freshness): InboxAgent {
    const isOffered = !this.#inboxesWithoutAgent.has(inboxId)
    const known = isOffered ? this.#readStored(inboxId) : null
    return { settings: known?.settings ?? null, freshness: freshness(known?.at ?? null), isOffered }
  }

  /** Fetches the settings. @throws if the platform can't be reached; a missing agent isn't an error */
  async refresh(inboxId: string, options: CallOptions): Promise<void> {
    try {
      this.#store(inboxId, await this.#parts.platform.getAgent(inboxId, options))
      this.#inboxesWithoutAgent.delete(inboxId)
    } catch (thrown) {
      if (!isNotOffered(thrown)) throw thrown
      this.#inboxesWithoutAgent.add(inboxId)
    }
  }

  /** @param expected settings that the user saw @throws ProblemError as documented for `agent.set` */
  async set(
    inboxId: string,
    change: AgentSettingsChange,
    expected: AgentSettings,
    options: CallOptions,
  ): Promise<AgentSettings> {
    const { platform } = this.#parts
    // The platform rejects an empty text; null means no instructions.
    const sent = { ...change, ...(change.instructions?.trim() === '' && { instructions: null }) }
    if ((sent.instructions?.length ?? 0) > MAX_AGENT_INSTRUCTION_CHARS) {
      const most = MAX_AGENT_INSTRUCTION_CHARS.toLocaleString('en')
      throw createProblem('invalid_input', `The instructions can have at most ${most} characters. Nothing was changed.`)
    }
    const { instructions = expected.instructions, tone = expected.tone, actions = expected.actions } = sent
    const wanted: AgentSettings = { instructions, tone, actions }
    try {
      const before = await platform.getAgent(inboxId, options)
      this.#store(inboxId, before)
      if (!areSame(before, expected)) throw createProblem('conflict', CHANGED_ELSEWHERE)
      await this.#send(inboxId, sent, wanted, options)
    } catch (thrown) {
      throw withMessage(thrown, {
        unreachable: 'You are offline. Go online to change the agent’s settings.',
        not_found: 'The platform has no agent for this inbox. Nothing was changed.',
      })
    }
    this.#store(inboxId, wanted)
    return wanted
  }

  /** If the response is lost, the current state shows whether the change arrived. */
  async #send(
    inboxId: string,
    change: AgentSettingsChange,
    wanted: AgentSettings,
    options: CallOptions,
  ): Promise<void> {
    const { platform } = this.#parts
    try {
      await platform.setAgent(inboxId, change, options)
    } catch (thrown) {
      if (!(thrown instanceof UnreachableError) || !thrown.mayHaveArrived) throw thrown
      const after = await platform.getAgent(inboxId, options).catch(() => null)
      if (after === null || !areSame(after, wanted)) throw thrown
    }
  }

  #store(inboxId: string, settings: AgentSettings): void {
    const { cache, clock } = this.#parts
    cache.accountMeta.set(keyOf(inboxId), JSON.stringify({ at: clock.now(), settings }))
  }

  /** Null if there are none, or if they are damaged: then they are fetched again. */
  #readStored(inboxId: string): StoredAgent | null {
    return parseJsonAs(storedAgent, this.#parts.cache.accountMeta.get(keyOf(inboxId)) ?? 'null')
  }
}
