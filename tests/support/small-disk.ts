import { execFileSync } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { temporaryDirectory } from './temporary-directory.ts'

/** A disk of the test's own that is so many bytes large; null where this computer does not let one be made. */
export const mountSmallDisk = (bytes: number): string | null => {
  const at = temporaryDirectory()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', at], { stdio: 'ignore' })
  } catch {
    return null
  }
  onTestFinished(() => {
    execFileSync('umount', [at])
  })
  return at
}

/** Nothing can be written to it any more. */
export const makeReadOnly = (disk: string): void => {
  execFileSync('mount', ['-o', 'remount,ro', disk], { stdio: 'ignore' })
}
