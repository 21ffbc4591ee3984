import type { NoUpdates, UpdateState } from '../../../shared/updates.ts'

/** Why a Linnet does not replace itself, and who does. */
export const UNABLE: Readonly<Record<NoUpdates, string>> = {
  development: 'This Linnet runs from its sources and is updated with them.',
  'no-list': 'This Linnet was built without a list of versions to ask for. Whoever gave it to you has the newer ones.',
  portable: 'The portable Linnet is replaced by hand: put a newer one in its place.',
  'installed-otherwise': 'This Linnet is updated by what has installed it, such as your system’s packages.',
}

/**
 * How far an update is, as a sentence.
 * @param ago how long it is since the list of versions was read, in words
 */
export const describeUpdate = ({ step, checkedAt }: UpdateState, ago: (at: number) => string): string => {
  switch (step.kind) {
    case 'checking':
      return 'Looking for a new version …'
    case 'downloading':
      return `Linnet ${step.version} is being fetched: ${Math.floor(step.progress * 100)} %.`
    case 'ready':
      return `Linnet ${step.version} is here and checked. It takes the place of this one when you restart Linnet.`
    case 'failed':
      return step.message
    case 'idle':
      return checkedAt === null
        ? 'Nobody has looked yet.'
        : `This is the newest version. Last looked ${ago(checkedAt)}.`
  }
}
