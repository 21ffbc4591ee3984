import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'

/** Machine load during a measurement: a figure is only as good as the quiet around it. */
export interface MachineLoad {
  /** Load average of the last minute, at the end. */
  readonly perMinute: number
  /** Share of CPU time in [0, 1], or null if the system doesn't report it. */
  readonly idle: number | null
  /** CPU time that the hypervisor gave to other machines. */
  readonly steal: number | null
}

/** CPU ticks since boot (proc_stat(5)), or null without that file. */
const readTicks = (): { readonly all: number; readonly idle: number; readonly steal: number } | null => {
  try {
    const [, ...ticks] = (readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '').trim().split(/\s+/)
    // user, nice, system, idle, iowait, irq, softirq, steal; user already includes guests.
    const numbers = ticks.slice(0, 8).map(Number)
    const all = numbers.reduce((sum, value) => sum + value, 0)
    return { all, idle: (numbers[3] ?? 0) + (numbers[4] ?? 0), steal: numbers[7] ?? 0 }
  } catch {
    return null
  }
}

/** Starts watching. @returns a function that returns the load since then */
export const watchMachine = (): (() => MachineLoad) => {
  const before = readTicks()
  return () => {
    const after = readTicks()
    const share = (of: 'idle' | 'steal'): number | null =>
      before === null || after === null || after.all === before.all
        ? null
        : (after[of] - before[of]) / (after.all - before.all)
    return { perMinute: loadavg()[0] ?? 0, idle: share('idle'), steal: share('steal') }
  }
}

const percent = (share: number | null): string => (share === null ? '?' : `${Math.round(share * 100)} %`)

/** Example: `load 0.8, idle 61 %, steal 0 %`. */
export const describeLoad = ({ perMinute, idle, steal }: MachineLoad): string =>
  `load ${perMinute.toFixed(1)}, idle ${percent(idle)}, steal ${percent(steal)}`
