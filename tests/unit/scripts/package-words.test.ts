import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../support/program.ts'

const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8')

it('uses the same names in the desktop files, package and window', () => {
  const { desktopName, version } = JSON.parse(read('package.json')) as { desktopName: string; version: string }
  const config = read('electron-builder.yml')
  const metainfo = read('resources', 'linux', 'dev.linnet.desktop.metainfo.xml')
  const [, appId] = /^appId: (\S+)$/m.exec(config) ?? []
  const [, executable] = /^ {2}executableName: (\S+)$/m.exec(config) ?? []
  expect(metainfo).toContain(`<id>${appId}</id>`)
  expect(metainfo).toContain(`<launchable type="desktop-id">${desktopName}</launchable>`)
  expect(metainfo).toContain(`<binary>${executable}</binary>`)
  expect(desktopName).toBe(`${executable}.desktop`)
  // The newest release comes first.
  expect(/<release version="([^"]+)"/.exec(metainfo)?.[1]).toBe(version)
})
