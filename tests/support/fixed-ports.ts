import { randomInt } from 'node:crypto'

const PORTS_TRIED = 20

/**
 * Below the ephemeral ports (Linux from 32768, macOS and Windows from 49152): another program could hold one of those
 * when a paused platform comes back.
 */
const anyFixedPort = (): number => randomInt(20_000, 32_000)

/** Starts a platform on two fixed ports, for pausing and resuming. Tries up to 20 pairs if a port is in use. */
export const atFixedPorts = async <Started>(
  start: (port: number, smtpPort: number) => Promise<Started>,
): Promise<Started> => {
  for (let tried = 1; ; tried += 1) {
    try {
      return await start(anyFixedPort(), anyFixedPort())
    } catch (error) {
      if (tried === PORTS_TRIED || !String(error).includes('is in use by another program')) throw error
    }
  }
}
