/** Checks that the shipped Electron is a supported major version with its latest fixes. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './project.mjs'

/** Number of major versions that get fixes (electronjs.org, Electron Releases). */
const SUPPORTED = 3

type Version = readonly [major: number, minor: number, patch: number]

const parse = (text: string): Version | null => {
  const parts = /^(\d+)\.(\d+)\.(\d+)$/.exec(text)
  return parts === null ? null : [Number(parts[1]), Number(parts[2]), Number(parts[3])]
}

const isOlder = (one: Version, other: Version): boolean => {
  const differing = one.findIndex((part, index) => part !== other[index])
  return differing !== -1 && (one[differing] ?? 0) < (other[differing] ?? 0)
}

/**
 * Describes what is wrong with an Electron version, one sentence per problem.
 * @param pinned version in package.json
 * @param released versions that the registry's tags point to: `latest` and the newest of each major
 * @returns an empty list if all is well
 */
export const findInElectron = (pinned: string, released: readonly string[]): readonly string[] => {
  const version = parse(pinned)
  if (version === null) return [`electron is ${pinned} in package.json: that is not one exact release.`]
  const others = released.map(parse).filter((each) => each !== null)
  const newest = Math.max(...others.map(([major]) => major))
  const mended = others.find((each) => each[0] === version[0] && isOlder(version, each))
  return [
    ...(others.length === 0 ? ['The registry names no release of Electron.'] : []),
    ...(newest - version[0] >= SUPPORTED ? [`Electron ${pinned} is not mended any more: ${newest} is out.`] : []),
    ...(mended === undefined ? [] : [`Electron ${pinned} was mended: there is ${mended.join('.')}.`]),
  ]
}

if (import.meta.main) {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    devDependencies: { electron: string }
  }
  const tags = execFileSync('npm', ['view', 'electron', 'dist-tags', '--json'], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  const released = Object.values(JSON.parse(tags) as Record<string, string>)
  for (const fault of findInElectron(devDependencies.electron, released)) {
    console.error(fault)
    process.exitCode = 1
  }
}
