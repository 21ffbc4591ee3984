import { whyNotThisNode } from './package-node.ts'
import type { MailPlatform, PlatformOptions } from './start-platform.ts'

/** `startPlatform` of `start-platform.ts`, whose declaration is the package's. Not a top-level await: `require` refuses that. */
export async function startPlatform(options?: PlatformOptions): Promise<MailPlatform> {
  const reason = whyNotThisNode(process.versions)
  if (reason !== null) throw new Error(reason)
  const platform = await import('./start-platform.ts')
  return platform.startPlatform(options)
}
