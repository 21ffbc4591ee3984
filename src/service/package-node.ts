/**
 * Why this Node cannot run the platform, in a sentence; null if it can. better-sqlite3's binary is built for Node-API 10, which
 * came with Node 22.14 and 23.6: an older Node crashes where it loads the binary. The package's entries ask before they import
 * anything else, since an older Node may not even parse the rest.
 */
export function whyNotThisNode({ napi, node }: NodeJS.ProcessVersions): string | null {
  return Number(napi) >= 10
    ? null
    : `linnet-service needs Node 22.14 or later (of Node 23, 23.6); this is Node ${node}.`
}
