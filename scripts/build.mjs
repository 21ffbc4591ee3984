import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, say } from './project.mjs'

const stamp = join(root, 'out', '.built')
const inputs = ['src', 'scripts', 'package-lock.json', 'package.json', 'electron.vite.config.ts', 'svelte.config.js']

const newest = (path) => {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  // The folder's own time tells of a file that was deleted.
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}

const isBuilt = (sources) => {
  try {
    return readFileSync(stamp, 'utf8') === sources
  } catch {
    return false
  }
}

/** Builds the app into out/ where the sources have changed since the last time. Ends the process where that fails. */
export const ensureBuilt = () => {
  const sources = String(Math.max(...inputs.map((input) => newest(join(root, input)))))
  if (isBuilt(sources)) return
  say('Building …')
  if (run('electron-vite', ['build', '--logLevel', 'warn']) !== 0) {
    say('The build failed; what it said stands above.')
    process.exit(1)
  }
  mkdirSync(join(root, 'out'), { recursive: true })
  writeFileSync(stamp, sources)
}
