import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toSafeFilename } from '../../../src/shared/safe-filename.ts'

describe('safe file name', () => {
  it.each([
    ['notes.txt', 'notes.txt'],
    ['../../etc/passwd', 'etc passwd'],
    ['C:\\Windows\\system.ini', 'C Windows system.ini'],
    ['invoice\u202efdp.exe', 'invoice fdp.exe'],
    ['.bashrc', 'bashrc'],
    ['name. . .', 'name'],
    ['a\r\nb.txt', 'a b.txt'],
    // P11: device names.
    ['con', 'con_'],
    ['CON.txt', 'CON_.txt'],
    ['aux.tar.gz', 'aux_.tar.gz'],
    ['com¹.log', 'com¹_.log'],
    ['nul .txt', 'nul_.txt'],
    [' .lpt9', 'lpt9_'],
    ['console.log', 'console.log'],
    ['注文.pdf', '注文.pdf'],
    ['..', ''],
    ['', ''],
  ])('%j: %j', (words, name) => expect(toSafeFilename(words)).toBe(name))

  it('keeps its extension when shortened', () => {
    const name = toSafeFilename(`${'a'.repeat(5_000)}.pdf`)
    expect(name).toHaveLength(120)
    expect(name.endsWith('a.pdf')).toBe(true)
  })

  it('stays within the file system’s byte limit in any script', () => {
    for (const sign of ['é', '注', '👩', '👩\u200d🚀', 'ｱ\u0301']) {
      const name = toSafeFilename(`${sign.repeat(1_000)}.pdf`)
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200)
      expect(Buffer.byteLength(name)).toBeGreaterThan(110)
      expect(name.endsWith('.pdf')).toBe(true)
    }
    // Some extensions are long.
    expect(toSafeFilename(`${'a'.repeat(300)}.${'注'.repeat(15)}`)).toMatch(/^a{100,}\.注{15}$/)
  })

  it('contains nothing special to a file system', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (words) => {
        const name = toSafeFilename(words)
        expect(name).not.toMatch(/[\p{Cc}\p{Cf}/\\:*?"<>|]|^[. ]|[. ]$/u)
        expect(name.length).toBeLessThanOrEqual(120)
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200)
        expect(name.isWellFormed()).toBe(true)
      }),
    )
  })
})
