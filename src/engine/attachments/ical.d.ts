/** The used part of ical.js, whose own types its package doesn't expose. */
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
    /** Parses to jCal (RFC 7265); several calendars become a list. @throws if invalid */
    readonly parse: (text: string) => unknown
    readonly Component: new (jCal: unknown) => object
    readonly Timezone: new (data: { readonly component: object; readonly tzid: string }) => {
      /** Seconds. */
      readonly utcOffset: (at: Moment) => number
    }
  }
  export default ICAL
}
