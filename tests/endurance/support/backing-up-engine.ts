/** Process to be killed: an engine without a platform that makes backups in a loop and reports each on stdout. */
import { lifeArguments, openKillableEngine, print } from './killable-engine.ts'

const [folder = ''] = lifeArguments
const { ask } = await openKillableEngine()

for (;;) {
  const made = await ask('backup.now', { folder })
  print(made.ok ? 'whole' : 'failed', made.ok ? made.data : made.error)
}
