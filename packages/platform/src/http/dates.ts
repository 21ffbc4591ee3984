/** `2026-10-01T12:00:00.000Z`: inbox objects and contacts (platform.md 1.9). */
export function formatIsoTimestamp(time: number): string {
  return new Date(time).toISOString()
}

/** `2026-10-01T12:00:00.000000+00:00`: received e-mails and link expiries (platform.md 1.9). */
export function formatOffsetDate(time: number): string {
  return formatIsoTimestamp(time).replace('Z', '000+00:00')
}

/** `2026-10-01 12:00:00.000000+00`: everything else (platform.md 1.9). */
export function formatDatabaseDate(time: number): string {
  return formatIsoTimestamp(time).replace('T', ' ').replace('Z', '000+00')
}
