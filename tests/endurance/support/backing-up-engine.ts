/**
 * A process that is to be ended: an engine without a platform that makes one backup after the other. That one is
 * whole is said on the standard output.
 */
import { lifeArguments, openLife, say } from './life.ts'

const [folder = ''] = lifeArguments
const { ask } = await openLife()

for (;;) {
  const made = await ask('backup.now', { folder })
  say(made.ok ? 'whole' : 'failed', made.ok ? made.data : made.error)
}
