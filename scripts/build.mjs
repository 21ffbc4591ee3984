import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { print, root, run } from './project.mjs'

const stamp = join(root, 'out', '.built')
const inputs = [
  'src',
  'packages',
  'resources',
  'scripts',
  'package-lock.json',
  'package.json',
  'electron.vite.config.ts',
  'svelte.config.js',
]

const newest = (/** @type {string} */ path) => {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  // Include the folder's own mtime: it changes when a file is deleted.
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}

/** Builds the app into out/ if the sources have changed. Exits the process if the build fails. */
export const ensureBuilt = () => {
  const sources = String(Math.max(...inputs.map((input) => newest(join(root, input)))))
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return
  print('Building (about half a minute) …')
  if (run('electron-vite', ['build', '--logLevel', 'error']) !== 0) {
    print('Linnet could not be built. If you did not change the sources, run: npm ci, then the same command again.')
    process.exit(1)
  }
  writeFileSync(stamp, sources)
}
