import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'

let originals: string | null = null
afterAll(() => {
  if (originals !== null) rmSync(originals, { recursive: true, force: true })
})
const made = new Map<string, { readonly folder: string; readonly facts: unknown }>()

/**
 * Files that take long to make: made for the first test of a file that wants them, and copied for each.
 * @param make fills an empty folder, and has closed its files when it is done
 * @returns a folder of this test's own, and what `make` has returned
 */
export const madeOnce = async <Facts>(
  name: string,
  make: (folder: string) => Promise<Facts>,
): Promise<{ readonly folder: string; readonly facts: Facts }> => {
  let original = made.get(name)
  if (original === undefined) {
    originals ??= mkdtempSync(join(tmpdir(), 'linnet-made-'))
    const folder = mkdtempSync(join(originals, 'files-'))
    original = { folder, facts: await make(folder) }
    made.set(name, original)
  }
  const folder = temporaryDirectory()
  cpSync(original.folder, folder, { recursive: true })
  return { folder, facts: original.facts as Facts }
}
