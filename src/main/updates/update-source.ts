import type { NoUpdateReason } from '../../shared/updates.ts'

export interface UpdateSource {
  /** Ends with a slash. */
  readonly base: URL
  /** In the format of `parsePublicKey`. */
  readonly key: string
}

interface Installed {
  readonly isPackaged: boolean
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
  /** Set in releases, empty in all other builds. */
  readonly built: { readonly feed: string; readonly key: string }
  /** electron-builder's package type. Null for a directory and an AppImage. */
  readonly packageType: string | null
}

const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost']

/** Accepts HTTPS, or loopback HTTP for testing. @returns null for anything else */
const parseBaseUrl = (text: string, isPackaged: boolean): URL | null => {
  if (!URL.canParse(text)) return null
  const base = new URL(text.endsWith('/') ? text : `${text}/`)
  const isOurs = !isPackaged && base.protocol === 'http:' && LOOPBACK.includes(base.hostname)
  return base.protocol === 'https:' || isOurs ? base : null
}

/** The update source, or why there is none. An installed Linnet trusts only its built-in key, not the environment's. */
export const findUpdateSource = ({
  isPackaged,
  platform,
  env,
  packageType,
  built,
}: Installed): { readonly source: UpdateSource } | { readonly unable: NoUpdateReason } => {
  const feed = isPackaged ? built.feed : (env.LINNET_UPDATE_FEED ?? '')
  const key = isPackaged ? built.key : (env.LINNET_UPDATE_KEY ?? '')
  const base = parseBaseUrl(feed, isPackaged)
  if (base === null || key === '') return { unable: isPackaged ? 'no-list' : 'development' }
  if (env.PORTABLE_EXECUTABLE_FILE !== undefined) return { unable: 'portable' }
  if (platform === 'linux' && isPackaged && env.APPIMAGE === undefined && packageType === null) {
    return { unable: 'installed-otherwise' }
  }
  return { source: { base, key } }
}
