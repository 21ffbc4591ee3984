/** Process to be killed: an engine that syncs and runs its rules. It reports each sync and each run of the rules. */
import { openLife, say } from './life.ts'

const { ask } = await openLife((event) => {
  if (event.name === 'rules.changed') say('ran', {})
})

for (;;) {
  const answer = await ask('sync.now', {})
  say(answer.ok ? 'looked' : 'failed', answer.ok ? {} : answer.error)
  await new Promise((resolve) => setTimeout(resolve, 25))
}
