import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { formatAutostartEntry, resolveAutostartFile, createAutostart } from '../../../src/main/autostart.ts'
import { resolveLaunchCommand } from '../../../src/main/launch-command.ts'

const COMMAND = { file: '/opt/Linnet/linnet', args: [] }
const noApp = { getLoginItemSettings: vi.fn<() => never>(), setLoginItemSettings: vi.fn() }

const openFile = () => {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-login-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = resolveAutostartFile({ XDG_CONFIG_HOME: folder }, '/home/ada')
  return { folder, file, start: createAutostart(noApp, 'linux', COMMAND, file) }
}

describe('Linux', () => {
  it('writes a file for its sessions while the user wants it', () => {
    const { file, start } = openFile()
    expect(start.isOn()).toBe(false)
    start.set(true)
    expect(start.isOn()).toBe(true)
    expect(readFileSync(file, 'utf8')).toContain('\nExec="/opt/Linnet/linnet" "--hidden"\n')
    expect(readFileSync(file, 'utf8')).toContain('\nVersion=1.0\n')
    start.set(false)
    expect(start.isOn()).toBe(false)
    start.set(false)
  })

  it('respects session settings that disable it, and detects another Linnet', () => {
    const { file, start, folder } = openFile()
    start.set(true)
    for (const line of ['Hidden=true', 'X-GNOME-Autostart-enabled=false']) {
      writeFileSync(file, `${formatAutostartEntry(COMMAND).replace('X-GNOME-Autostart-enabled=true\n', '')}${line}\n`)
      expect(start.isOn()).toBe(false)
    }
    start.set(true)
    const moved = createAutostart(noApp, 'linux', { ...COMMAND, file: join(folder, 'linnet') }, file)
    expect(moved.isOn()).toBe(false)
  })

  it('starts the right program for any path, and rejects a line break', () => {
    const { file } = openFile()
    const entry = formatAutostartEntry({ file: '/home/ada/my "$apps\\`/50%/linnet', args: ['--data-dir=/a b'] })
    expect(entry).toContain('Exec="/home/ada/my \\\\"\\\\$apps\\\\\\\\\\\\`/50%%/linnet" "--data-dir=/a b" "--hidden"')
    const start = createAutostart(noApp, 'linux', { file: '/a\nExec=evil', args: [] }, file)
    expect(() => start.set(true)).toThrow('blocked this')
    expect(start.isOn()).toBe(false)
  })

  it('reports an unwritable file', () => {
    const { folder, start } = openFile()
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'autostart'), 'no folder')
    expect(() => start.set(true)).toThrow('blocked this')
  })

  it('uses the given folder only if its path is absolute', () => {
    expect(resolveAutostartFile({ XDG_CONFIG_HOME: 'there' }, '/home/ada')).toBe(
      '/home/ada/.config/autostart/linnet.desktop',
    )
    expect(resolveAutostartFile({}, '/home/ada')).toBe('/home/ada/.config/autostart/linnet.desktop')
  })
})

describe('macOS and Windows', () => {
  const system = (isTaken = true) => {
    let openAtLogin = false
    const setLoginItemSettings = vi.fn((settings: { readonly openAtLogin?: boolean }) => {
      if (isTaken) openAtLogin = settings.openAtLogin === true
    })
    const getLoginItemSettings = vi.fn(() => ({ openAtLogin }) as Electron.LoginItemSettings)
    return { setLoginItemSettings, getLoginItemSettings }
  }

  it('store it themselves, Windows with the command that opens no window', () => {
    const windows = system()
    const start = createAutostart(windows, 'win32', { file: 'C:\\linnet.exe', args: [] }, '')
    start.set(true)
    expect(start.isOn()).toBe(true)
    expect(windows.setLoginItemSettings).toHaveBeenCalledWith({
      ...{ path: 'C:\\linnet.exe', args: ['--hidden'], openAtLogin: true },
    })
    const mac = system()
    createAutostart(mac, 'darwin', COMMAND, '').set(true)
    expect(mac.setLoginItemSettings).toHaveBeenCalledWith({ openAtLogin: true })
  })

  it('report a rejection', () => {
    expect(() => createAutostart(system(false), 'darwin', COMMAND, '').set(true)).toThrow('blocked this')
  })
})

it('restarts a single-file program by that file, and an unpackaged one with its app', () => {
  const execPath = '/tmp/.mount_linnet/linnet'
  expect(resolveLaunchCommand({ execPath, env: { APPIMAGE: '/home/ada/Linnet.AppImage' } }, null, null)).toEqual({
    ...{ file: '/home/ada/Linnet.AppImage', args: [] },
  })
  expect(resolveLaunchCommand({ execPath, env: {} }, '/src/linnet', '/mail')).toEqual({
    ...{ file: execPath, args: ['/src/linnet', '--data-dir=/mail'] },
  })
})
