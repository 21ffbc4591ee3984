interface NetLogParams {
  readonly url?: string
  readonly host?: string
  readonly address?: string
}

/** The window's own schemes, which cause no outside request. */
const OWN = /^(?:linnet|data|blob|devtools):/

/** Outside URLs, hosts and addresses that Chromium contacted. @param netLog the log after Chromium has exited */
export const outsideRequests = (netLog: string): readonly string[] => {
  const { events } = JSON.parse(netLog) as { events: { params?: NetLogParams }[] }
  return events
    .flatMap(({ params }) => [params?.url, params?.host, params?.address])
    .filter((asked): asked is string => asked !== undefined && !OWN.test(asked))
}
