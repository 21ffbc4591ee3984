import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'

/** What the machine did while something was measured: a figure is worth as much as the quiet around it. */
export interface MachineLoad {
  /** Programs that ran or wanted to, on average over the last minute, at the end. */
  readonly perMinute: number
  /** Shares of the processors' time in [0, 1]; null where the system does not tell. */
  readonly idle: number | null
  /** Time that the host of a virtual machine gave to others. */
  readonly steal: number | null
}

/** Ticks of all processors since the start of the machine (proc_stat(5)); null where there is no such file. */
const readTicks = (): { readonly all: number; readonly idle: number; readonly steal: number } | null => {
  try {
    const [, ...ticks] = (readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '').trim().split(/\s+/)
    // user, nice, system, idle, iowait, irq, softirq, steal; guests are in user already.
    const numbers = ticks.slice(0, 8).map(Number)
    const all = numbers.reduce((sum, value) => sum + value, 0)
    return { all, idle: (numbers[3] ?? 0) + (numbers[4] ?? 0), steal: numbers[7] ?? 0 }
  } catch {
    return null
  }
}

/** Begins to watch. @returns what tells the load since then */
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

/** Such as `load 0.8, idle 61 %, steal 0 %`. */
export const describeLoad = ({ perMinute, idle, steal }: MachineLoad): string =>
  `load ${perMinute.toFixed(1)}, idle ${percent(idle)}, steal ${percent(steal)}`
