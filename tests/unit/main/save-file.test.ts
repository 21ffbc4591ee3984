import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createFileSaver, createMultiFileSaver } from '../../../src/main/save-file.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

/** A disk with this many bytes left, and the error once they are used up. */
const disk = vi.hoisted(() => ({ room: Number.POSITIVE_INFINITY, code: 'ENOSPC' }))
vi.mock(import('node:fs/promises'), async (original) => {
  const promises = await original()
  return {
    ...promises,
    writeFile: async (file: Parameters<typeof promises.writeFile>[0], content: Uint8Array, options: object) => {
      await promises.writeFile(file, content.subarray(0, disk.room), options)
      if (content.byteLength > disk.room) throw Object.assign(new Error(disk.code), { code: disk.code })
    },
  } as never
})
beforeEach(() => {
  Object.assign(disk, { room: Number.POSITIVE_INFINITY, code: 'ENOSPC' })
})

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
const app = { getPath: () => '/downloads' }
const saveAs = (filePath: string) =>
  createFileSaver(app, { showSaveDialog: () => Promise.resolve({ canceled: filePath === '', filePath }) }, () => null)
const saveIn = (folder: string | null) =>
  createMultiFileSaver(
    app,
    {
      showOpenDialog: () => Promise.resolve({ canceled: folder === null, filePaths: folder === null ? [] : [folder] }),
    },
    () => null,
  )
const each = async function* (...files: readonly (readonly [name: string, text: string])[]) {
  for (const [filename, text] of files) yield await Promise.resolve({ filename, content: bytesOf(text) })
}
const file = { filename: 'notes.txt', content: bytesOf('all of the words') }

describe('a file the user saves', () => {
  it('replaces the chosen file', async () => {
    const path = join(temporaryDirectory(), 'notes.txt')
    writeFileSync(path, 'before')
    expect(await saveAs(path)(file)).toEqual({ kind: 'saved', path })
    expect(readFileSync(path, 'utf8')).toBe('all of the words')
  })

  it('is written to a link’s target, and keeps the link', async () => {
    const folder = temporaryDirectory()
    writeFileSync(join(folder, 'true.txt'), 'before')
    symlinkSync(join(folder, 'true.txt'), join(folder, 'link.txt'))
    await saveAs(join(folder, 'link.txt'))(file)
    expect(readFileSync(join(folder, 'true.txt'), 'utf8')).toBe('all of the words')
    expect(readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isSymbolicLink())).toHaveLength(1)
  })

  it('leaves only the old file if the disk fills up half-way', async () => {
    const folder = temporaryDirectory()
    const path = join(folder, 'notes.txt')
    writeFileSync(path, 'before')
    disk.room = 3
    await expect(saveAs(path)(file)).rejects.toMatchObject({
      problem: {
        code: 'storage_failed',
        message: `The file could not be written to ${path}. The disk is full. Free up some space, or choose another disk.`,
      },
    })
    expect(readdirSync(folder)).toEqual(['notes.txt'])
    expect(readFileSync(path, 'utf8')).toBe('before')
  })

  it('reports a failed write or a missing folder', async () => {
    const folder = temporaryDirectory()
    await expect(saveAs(join(folder, 'gone', 'notes.txt'))(file)).rejects.toMatchObject({
      problem: { message: expect.stringContaining('This folder no longer exists') as string },
    })
    writeFileSync(join(folder, 'taken'), '')
    await expect(saveAs(join(folder, 'taken', 'notes.txt'))(file)).rejects.toMatchObject({
      problem: { code: 'storage_failed' },
    })
    mkdirSync(join(folder, 'notes.txt'))
    await expect(saveAs(join(folder, 'notes.txt'))(file)).rejects.toMatchObject({ problem: { code: 'storage_failed' } })
    expect(readdirSync(folder).toSorted()).toEqual(['notes.txt', 'taken'])
  })

  it.each(['EACCES', 'EPERM', 'EROFS'])('reports missing permission: %s', async (code) => {
    const folder = temporaryDirectory()
    Object.assign(disk, { room: 0, code })
    await expect(saveAs(join(folder, 'notes.txt'))(file)).rejects.toMatchObject({
      problem: {
        message: expect.stringContaining('You don’t have permission to write there') as string,
        details: { reason: code },
      },
    })
    expect(readdirSync(folder)).toEqual([])
  })

  it('isn’t saved if the dialog is cancelled', async () => {
    expect(await saveAs('')(file)).toEqual({ kind: 'cancelled' })
    expect(await saveIn(null)('Attachments', each(['a.txt', 'a']))).toEqual({ kind: 'cancelled' })
  })
})

describe('files saved together', () => {
  it('are stored next to each other and existing ones, whatever their names', async () => {
    const folder = temporaryDirectory()
    writeFileSync(join(folder, 'a.txt'), 'before')
    const saved = await saveIn(folder)('Attachments', each(['a.txt', '1'], ['a.txt', '2'], ['b', '3'], ['b', '4']))
    expect(saved).toEqual({ kind: 'saved', path: folder })
    expect(readdirSync(folder).toSorted()).toEqual(['a (2).txt', 'a (3).txt', 'a.txt', 'b', 'b (2)'])
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('before')
  })

  it('keep only the complete ones if the disk fills up', async () => {
    const folder = temporaryDirectory()
    disk.room = 5
    const saving = saveIn(folder)(
      'Attachments',
      each(['a.txt', 'short'], ['b.txt', 'longer than that'], ['c.txt', 'c']),
    )
    await expect(saving).rejects.toMatchObject({
      problem: {
        code: 'storage_failed',
        message: expect.stringMatching(/disk is full.* 1 file was already saved\.$/) as string,
      },
    })
    expect(readdirSync(folder)).toEqual(['a.txt'])
  })
})
