/**
 * Error message if this Node version is too old, else null. better-sqlite3 needs Node-API 10 (Node 22.14 and 23.6);
 * older versions crash when loading it. The entry points check this before other imports, which an older Node may fail
 * to parse.
 */
export function describeUnsupportedNode({ napi, node }: NodeJS.ProcessVersions): string | null {
  return Number(napi) >= 10
    ? null
    : `linnet-service needs Node 22.14 or later (of Node 23, 23.6); this is Node ${node}.`
}
