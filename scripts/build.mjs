import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, print } from './project.mjs'
import { runStep, printFailure } from './step.mjs'

const stamp = join(root, 'out', '.built')
const inputs = [
  'src',
  'resources',
  'scripts',
  'package-lock.json',
  'package.json',
  'electron.vite.config.ts',
  'svelte.config.js',
]

const newest = (path) => {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  // Include the folder's own mtime: it changes when a file is deleted.
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}

const isBuilt = (sources) => {
  try {
    return readFileSync(stamp, 'utf8') === sources
  } catch {
    return false
  }
}

const newestSource = () => String(Math.max(...inputs.map((input) => newest(join(root, input)))))

export const isUpToDate = () => isBuilt(newestSource())

/** Builds the app into out/ if the sources have changed. Exits the process if the build fails. */
export const ensureBuilt = async () => {
  const sources = newestSource()
  if (isBuilt(sources)) return
  const step = await runStep({
    name: 'build',
    words: 'Building (about half a minute) …',
    command: 'electron-vite',
    args: ['build', '--logLevel', 'warn'],
  })
  if (!step.isDone) {
    const advice = 'If you changed the sources, mend what it names. If not, run: npm ci, then the same command again.'
    printFailure('Linnet could not be built. The build said:', step, advice)
    process.exit(1)
  }
  writeFileSync(stamp, sources)
  print(`Built in ${step.seconds} s.`)
}
