/** Checks that the shipped Electron is a supported major version with its latest fixes. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './project.mjs'

/** Number of major versions that get fixes (electronjs.org, Electron Releases). */
const SUPPORTED = 3

const majorOf = (version: string): number => Number(version.split('.', 1)[0])

const { electron } = (
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { devDependencies: { electron: string } }
).devDependencies
// The registry's tags name the newest release of each major version.
const tags = execFileSync('npm', ['view', 'electron', 'dist-tags', '--json'], { encoding: 'utf8' })
const released = Object.values(JSON.parse(tags) as Readonly<Record<string, string>>).filter((tag) =>
  /^\d+\.\d+\.\d+$/.test(tag),
)
const newest = Math.max(...released.map(majorOf))
const patched = released.find(
  (tag) => majorOf(tag) === majorOf(electron) && tag.localeCompare(electron, 'en', { numeric: true }) > 0,
)
if (!/^\d+\.\d+\.\d+$/.test(electron)) throw new Error(`package.json has no exact version of Electron: ${electron}.`)
if (patched !== undefined) throw new Error(`Electron ${electron} has known faults: ${patched} is out.`)
if (newest - majorOf(electron) >= SUPPORTED) throw new Error(`Electron ${electron} gets no fixes: ${newest} is out.`)
