import type { HandlersOf } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'
import { depthDays, setDepthDays } from '../sync/depth.ts'

export const settingsHandlers = ({
  current,
}: AccountAccess): Pick<HandlersOf<'sync'>, 'sync.depth' | 'sync.setDepth'> => ({
  'sync.depth': () => ({ days: depthDays(current().cache.facts) }),
  'sync.setDepth': ({ days }) => {
    setDepthDays(current().cache.facts, days)
    current().sync.nudge()
    return null
  },
})
