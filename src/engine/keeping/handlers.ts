import type { HandlersOf } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'

export const keepingHandlers = ({ current }: AccountAccess): HandlersOf<'keeping'> => ({
  'keeping.state': () => current().keeper.state(),
  'keeping.set': (choices) => {
    const { keeper, sync } = current()
    keeper.choose(choices)
    // The text of threads is fetched by sync, to the same depth.
    sync.nudge()
    return keeper.state()
  },
})
