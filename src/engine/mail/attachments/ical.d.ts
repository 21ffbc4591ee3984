/** The part of ical.js that Linnet uses, because the package doesn't expose its own types. */
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
      /** Offset from UTC, in seconds. */
      readonly utcOffset: (at: Moment) => number
    }
  }
  export default ICAL
}
