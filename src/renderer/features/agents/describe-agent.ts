import { isAgentActive, type InboxAgent } from '../../../shared/agent.ts'
import { toVisibleText } from '../../../shared/visible-text.ts'

const ACTIONS: ReadonlyMap<string, string> = new Map([
  ['draft_reply', 'Draft replies'],
  ['forward_thread', 'Draft forwards'],
  ['add_labels', 'Add labels'],
  ['assign_thread', 'Assign threads'],
  ['mark_as_spam', 'Mark as spam'],
  ['archive', 'Archive'],
  ['move_to_trash', 'Move to trash'],
])

const TONES: ReadonlyMap<string, string> = new Map([
  ['concise_professional', 'Concise, formal'],
  ['concise_casual', 'Concise, casual'],
  ['expanded_professional', 'Detailed, formal'],
  ['expanded_casual', 'Detailed, casual'],
])

/** An unknown action is shown under its platform name. */
export const describeAgentAction = (action: string): string => ACTIONS.get(action) ?? toVisibleText(action)
export const describeTone = (tone: string): string => TONES.get(tone) ?? toVisibleText(tone)

export const describeAgent = ({ settings, isOffered }: InboxAgent): string => {
  if (!isOffered) return 'The platform has no agent for this inbox'
  if (settings === null) return 'Open to see what the agent does'
  if (!isAgentActive(settings)) return 'Off'
  return settings.actions.map(describeAgentAction).join(', ')
}
