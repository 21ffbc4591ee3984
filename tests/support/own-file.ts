import { OutboxFile } from '../../src/engine/own/outbox/outbox-file.ts'
import { OwnFile } from '../../src/engine/own/own-file.ts'
import type { Clock } from '../../src/engine/timing/clock.ts'

/** Snapshots are then taken only when the file is closed. */
const NO_TIMERS: Pick<Clock, 'after'> = { after: () => () => undefined }

/** Opens the user's own data in an account's folder, as the engine does. */
export const openOwnFile = (
  directory: string,
  { onCorrupt = () => undefined, clock = NO_TIMERS }: { onCorrupt?: () => void; clock?: Pick<Clock, 'after'> } = {},
): OwnFile =>
  new OwnFile({
    ...{ directory, onCorrupt, clock },
    report: (thrown) => {
      throw thrown
    },
  })

export const openOutbox = (directory: string): OutboxFile => new OutboxFile(openOwnFile(directory))
