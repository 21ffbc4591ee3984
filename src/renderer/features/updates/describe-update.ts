import type { UpdateState } from '../../../shared/updates.ts'

/**
 * How far an update is, as a sentence.
 * @param ago how long it is since the list of versions was read, in words
 */
export const describeUpdate = ({ step, checkedAt }: UpdateState, ago: (at: number) => string): string => {
  switch (step.kind) {
    case 'checking':
      return 'Checking for updates…'
    case 'downloading':
      return `Linnet ${step.version} is downloading: ${Math.floor(step.progress * 100)}%.`
    case 'ready':
      return `Linnet ${step.version} is downloaded and verified. Restart Linnet to use it.`
    case 'failed':
      return step.message
    case 'idle':
      return checkedAt === null ? 'Not checked yet.' : `This is the newest version. Last checked ${ago(checkedAt)}.`
  }
}
