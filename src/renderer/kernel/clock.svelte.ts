import { detectDateStyle, type DateStyle } from '../ui/format-date.ts'

/** Milliseconds between updates of relative dates, well below a minute. */
const UPDATE_INTERVAL_MS = 20_000

/** Current time for the UI, milliseconds since the epoch, and the date style. */
export class Clock {
  readonly style: DateStyle = detectDateStyle()
  now = $state(Date.now())

  constructor() {
    setInterval(() => (this.now = Date.now()), UPDATE_INTERVAL_MS)
  }
}
