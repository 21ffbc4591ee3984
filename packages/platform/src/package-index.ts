import { describeUnsupportedNode } from './package-node.ts'
import type { MailPlatform, PlatformOptions } from './start-platform.ts'

/** The package's type declaration is that of `start-platform.ts`. No top-level await, which `require` rejects. */
export async function startPlatform(options?: PlatformOptions): Promise<MailPlatform> {
  const reason = describeUnsupportedNode(process.versions)
  if (reason !== null) throw new Error(reason)
  const platform = await import('./start-platform.ts')
  return platform.startPlatform(options)
}
