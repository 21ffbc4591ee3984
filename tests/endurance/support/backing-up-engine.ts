/** Process to be killed: an engine without a platform that makes backups in a loop and reports each on stdout. */
import { lifeArguments, openLife, say } from './life.ts'

const [folder = ''] = lifeArguments
const { ask } = await openLife()

for (;;) {
  const made = await ask('backup.now', { folder })
  say(made.ok ? 'whole' : 'failed', made.ok ? made.data : made.error)
}
