import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { autostartEntry, autostartFile, createLoginStart } from '../../../src/main/login-start.ts'
import { ownCommand } from '../../../src/main/own-command.ts'

const COMMAND = { file: '/opt/Linnet/linnet', args: [] }
const noApp = { getLoginItemSettings: vi.fn<() => never>(), setLoginItemSettings: vi.fn() }

const openFile = () => {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-login-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = autostartFile({ XDG_CONFIG_HOME: folder }, '/home/ada')
  return { folder, file, start: createLoginStart(noApp, 'linux', COMMAND, file) }
}

describe('Linux', () => {
  it('has a file that its sessions read, as long as the person wants it', () => {
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

  it('knows what the session’s own settings switched off, and what starts another Linnet', () => {
    const { file, start, folder } = openFile()
    start.set(true)
    for (const line of ['Hidden=true', 'X-GNOME-Autostart-enabled=false']) {
      writeFileSync(file, `${autostartEntry(COMMAND).replace('X-GNOME-Autostart-enabled=true\n', '')}${line}\n`)
      expect(start.isOn()).toBe(false)
    }
    start.set(true)
    const moved = createLoginStart(noApp, 'linux', { ...COMMAND, file: join(folder, 'linnet') }, file)
    expect(moved.isOn()).toBe(false)
  })

  it('starts what is meant, whatever signs are in its path, and nothing where a line would end', () => {
    const { file } = openFile()
    const entry = autostartEntry({ file: '/home/ada/my "$apps\\`/50%/linnet', args: ['--data-dir=/a b'] })
    expect(entry).toContain('Exec="/home/ada/my \\\\"\\\\$apps\\\\\\\\\\\\`/50%%/linnet" "--data-dir=/a b" "--hidden"')
    const start = createLoginStart(noApp, 'linux', { file: '/a\nExec=evil', args: [] }, file)
    expect(() => start.set(true)).toThrow('refused this')
    expect(start.isOn()).toBe(false)
  })

  it('says where the file cannot be written', () => {
    const { folder, start } = openFile()
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'autostart'), 'no folder')
    expect(() => start.set(true)).toThrow('refused this')
  })

  it('takes the folder that is given only where its path is whole', () => {
    expect(autostartFile({ XDG_CONFIG_HOME: 'there' }, '/home/ada')).toBe('/home/ada/.config/autostart/linnet.desktop')
    expect(autostartFile({}, '/home/ada')).toBe('/home/ada/.config/autostart/linnet.desktop')
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

  it('keep it themselves, Windows with the command that starts without a window', () => {
    const windows = system()
    const start = createLoginStart(windows, 'win32', { file: 'C:\\linnet.exe', args: [] }, '')
    start.set(true)
    expect(start.isOn()).toBe(true)
    expect(windows.setLoginItemSettings).toHaveBeenCalledWith({
      ...{ path: 'C:\\linnet.exe', args: ['--hidden'], openAtLogin: true },
    })
    const mac = system()
    createLoginStart(mac, 'darwin', COMMAND, '').set(true)
    expect(mac.setLoginItemSettings).toHaveBeenCalledWith({ openAtLogin: true })
  })

  it('say where they did not take it', () => {
    expect(() => createLoginStart(system(false), 'darwin', COMMAND, '').set(true)).toThrow('refused this')
  })
})

it('what is run from one file is started again by that file, and what is no package with its app', () => {
  const execPath = '/tmp/.mount_linnet/linnet'
  expect(ownCommand({ execPath, env: { APPIMAGE: '/home/ada/Linnet.AppImage' } }, null, null)).toEqual({
    ...{ file: '/home/ada/Linnet.AppImage', args: [] },
  })
  expect(ownCommand({ execPath, env: {} }, '/src/linnet', '/mail')).toEqual({
    ...{ file: execPath, args: ['/src/linnet', '--data-dir=/mail'] },
  })
})
