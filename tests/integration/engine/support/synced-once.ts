import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { madeOnceForAll } from '../../../support/demo-file.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'

/**
 * Files that are slow to make: made for the first test of a run that needs them, and copied for each.
 * @param name must differ for different files
 * @param make fills an empty folder and closes its files; its result is stored as JSON
 * @returns a folder for this test, and the result of `make`
 */
export const madeOnce = async <Facts>(
  name: string,
  make: (folder: string) => Promise<Facts>,
): Promise<{ readonly folder: string; readonly facts: Facts }> => {
  const original = await madeOnceForAll(`made-${createHash('sha256').update(name).digest('hex')}`, async (path) => {
    const files = join(path, 'files')
    mkdirSync(files, { recursive: true })
    writeFileSync(join(path, 'facts.json'), JSON.stringify((await make(files)) ?? null))
  })
  const folder = temporaryDirectory()
  cpSync(join(original, 'files'), folder, { recursive: true })
  return { folder, facts: JSON.parse(readFileSync(join(original, 'facts.json'), 'utf8')) as Facts }
}
