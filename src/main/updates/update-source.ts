import type { NoUpdates } from '../../shared/updates.ts'

/** Where lists of versions lie, and by which key they are signed. */
export interface UpdateSource {
  /** Ends with a slash. */
  readonly base: URL
  /** As `readPublicKey` takes it. */
  readonly key: string
}

interface Installed {
  readonly isPackaged: boolean
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
  /** What a release was built with; empty in all other builds. */
  readonly built: { readonly feed: string; readonly key: string }
  /** Which package electron-builder has put this Linnet into; null for a directory and an AppImage. */
  readonly packageType: string | null
}

const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost']

/** An address that a list may have: encrypted, or of this computer for those who try it. @returns null for any other */
const readBase = (text: string, isPackaged: boolean): URL | null => {
  if (!URL.canParse(text)) return null
  const base = new URL(text.endsWith('/') ? text : `${text}/`)
  const isOurs = !isPackaged && base.protocol === 'http:' && LOOPBACK.includes(base.hostname)
  return base.protocol === 'https:' || isOurs ? base : null
}

/**
 * The source of updates, or why there is none. Only a Linnet that runs from its sources takes another source from its
 * environment: one that is installed believes nothing but the key that it was built with.
 */
export const findUpdateSource = ({
  isPackaged,
  platform,
  env,
  packageType,
  built,
}: Installed): { readonly source: UpdateSource } | { readonly unable: NoUpdates } => {
  const feed = isPackaged ? built.feed : (env.LINNET_UPDATE_FEED ?? '')
  const key = isPackaged ? built.key : (env.LINNET_UPDATE_KEY ?? '')
  const base = readBase(feed, isPackaged)
  if (base === null || key === '') return { unable: isPackaged ? 'no-list' : 'development' }
  if (env.PORTABLE_EXECUTABLE_FILE !== undefined) return { unable: 'portable' }
  if (platform === 'linux' && isPackaged && env.APPIMAGE === undefined && packageType === null) {
    return { unable: 'installed-otherwise' }
  }
  return { source: { base, key } }
}
