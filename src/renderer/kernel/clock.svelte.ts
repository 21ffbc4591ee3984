import { localDateStyle, type DateStyle } from '../ui/format-date.ts'

/** Dates on the screen grow old: they are drawn again as often as a minute could have passed. */
const PACE = 20_000

/** The time of the screens, in milliseconds since the epoch, and the way they write dates. */
export class Clock {
  readonly style: DateStyle = localDateStyle()
  #now = $state(Date.now())

  constructor() {
    setInterval(() => {
      this.#now = Date.now()
    }, PACE)
  }

  get now(): number {
    return this.#now
  }
}
