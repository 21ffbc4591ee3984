import { randomInt } from 'node:crypto'

const PORTS_TRIED = 20

/**
 * Below the ports that systems lend to outgoing connections (Linux from 32768, macOS and Windows from 49152): one of
 * those can be on loan to another program when a platform that was away comes back to it.
 */
const anyFixedPort = (): number => randomInt(20_000, 32_000)

/**
 * Starts a platform at two ports that nobody has, and that it can come back to after having been away.
 * @throws what `start` throws, but for a port that is in use: then two others are tried, 20 times at most
 */
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
