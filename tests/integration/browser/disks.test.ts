import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BUILT, startProgram } from '../../support/program.ts'
import { makeReadOnly, mountSmallDisk } from '../../support/small-disk.ts'

const start = (dataDirectory: string) => startProgram(BUILT.browser, ['--no-open', '--data-dir', dataDirectory])

describe('a data folder', () => {
  it.for(['existing', 'new'])('is reported if Linnet can’t write to it: %s', async (which, { skip }) => {
    const disk = mountSmallDisk(1024 * 1024)
    if (disk === null) return skip()
    const dataDirectory = join(disk, 'linnet')
    if (which === 'existing') mkdirSync(dataDirectory)
    makeReadOnly(disk)
    await expect(start(dataDirectory)).rejects.toThrow(
      `ended with code 1:\nlinnet: Linnet cannot store mail in ${dataDirectory}. Check the folder’s permissions, then try again.\n`,
    )
  })

  it('opens on a full disk, so stored mail stays readable', async ({ skip }) => {
    const disk = mountSmallDisk(64 * 1024)
    if (disk === null) return skip()
    const dataDirectory = join(disk, 'linnet')
    mkdirSync(dataDirectory)
    expect(() => writeFileSync(join(disk, 'other'), 'x'.repeat(1024 * 1024))).toThrow('ENOSPC')
    const host = await start(dataDirectory)
    expect(JSON.parse(host.firstLine)).toMatchObject({ url: expect.stringContaining('http://127.0.0.1:') as string })
    expect(await host.stop()).toBe(0)
  })
})
