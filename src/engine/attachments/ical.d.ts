/** What is used of ical.js, whose own types its package does not lead to. */
declare module 'ical.js' {
  interface Moment {
    readonly year: number
    readonly month: number
    readonly day: number
    readonly hour: number
    readonly minute: number
    readonly second: number
  }

  const ICAL: {
    /** A calendar in jCal (RFC 7265), several of them in a list. @throws for what is none */
    readonly parse: (text: string) => unknown
    readonly Component: new (jCal: unknown) => object
    readonly Timezone: new (data: { readonly component: object; readonly tzid: string }) => {
      /** Seconds. */
      readonly utcOffset: (at: Moment) => number
    }
  }
  export default ICAL
}
