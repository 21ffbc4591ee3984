/** Process to be killed: an engine that syncs and runs its rules. It reports each sync and each run of the rules. */
import { openKillableEngine, print } from './killable-engine.ts'

const { ask } = await openKillableEngine((event) => {
  if (event.name === 'rules.changed') print('ran', {})
})

for (;;) {
  const answer = await ask('sync.now', {})
  print(answer.ok ? 'looked' : 'failed', answer.ok ? {} : answer.error)
  await new Promise((resolve) => setTimeout(resolve, 25))
}
