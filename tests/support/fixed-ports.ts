import { randomInt } from 'node:crypto'

const PORTS_TRIED = 20

/**
 * Below the ephemeral ports (Linux from 32768, macOS and Windows from 49152): another program could hold one of those
 * when a paused platform comes back.
 */
const [FIRST, END] = [20_000, 32_000]
const PORTS_PER_WORKER = 1_000

/** Each test worker has ports of its own: a test that stops its platform must not reach one of another test there. */
const worker = (Number(process.env.VITEST_POOL_ID ?? 1) - 1) % ((END - FIRST) / PORTS_PER_WORKER)
let taken = randomInt(PORTS_PER_WORKER)

const nextFixedPort = (): number => {
  taken += 1
  return FIRST + worker * PORTS_PER_WORKER + (taken % PORTS_PER_WORKER)
}

/** Starts a platform on two fixed ports, for pausing and resuming. Tries up to 20 pairs if a port is in use. */
export const atFixedPorts = async <Started>(
  start: (port: number, smtpPort: number) => Promise<Started>,
): Promise<Started> => {
  for (let tried = 1; ; tried += 1) {
    try {
      return await start(nextFixedPort(), nextFixedPort())
    } catch (error) {
      if (tried === PORTS_TRIED || !String(error).includes('is in use by another program')) throw error
    }
  }
}
