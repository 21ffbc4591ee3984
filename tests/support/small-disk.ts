import { execFileSync } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { temporaryDirectory } from './temporary-directory.ts'

/** Mounts a disk of this size for the test; null if the system doesn't allow it. */
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

export const makeReadOnly = (disk: string): void => {
  execFileSync('mount', ['-o', 'remount,ro', disk], { stdio: 'ignore' })
}
