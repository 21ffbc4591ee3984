/** What Chromium's own log of its network says (`--log-net-log`). */

interface NetLogParams {
  readonly url?: string
  readonly host?: string
  /** Of a socket that was connected, or that a datagram was sent by. */
  readonly address?: string
}

/** Of the window itself: nobody outside is asked for them. */
const OWN = /^(?:linnet|data|blob|devtools):/

/**
 * Every URL that Chromium itself asked for, every host that it looked up and every address that it connected to, but those of
 * the window.
 * @param netLog the file, as it is once Chromium has ended
 */
export const outsideRequests = (netLog: string): readonly string[] => {
  const { events } = JSON.parse(netLog) as { events: { params?: NetLogParams }[] }
  return events
    .flatMap(({ params }) => [params?.url, params?.host, params?.address])
    .filter((asked): asked is string => asked !== undefined && !OWN.test(asked))
}
