import { describe, expect, it } from 'vitest'
import { rawFilename } from '../../../../src/engine/originals/originals.ts'

describe('the name of an original file', () => {
  it.each([
    ['Invoice 7', 'Invoice 7.eml'],
    ['../../etc/passwd', 'etc passwd.eml'],
    ['a\\b:c*"<x>|?', 'a b c x.eml'],
    ['invoice\u202Efdp.exe', 'invoice fdp.exe.eml'],
    ['\r\nSet-Cookie: x', 'Set-Cookie x.eml'],
    ['  ...  ', 'e-mail.eml'],
    ['CON', 'CON_.eml'],
    ['com1.txt', 'com1_.txt.eml'],
    ['注文の確認', '注文の確認.eml'],
    [null, 'e-mail.eml'],
  ])('is safe: %j', (subject, name) => expect(rawFilename(subject)).toBe(name))

  it('can be written in an address whatever half of a sign the subject has', () => {
    expect(rawFilename('a\ud83d b\udc26 c').isWellFormed()).toBe(true)
  })

  it('is not too long for a file system, and ends in a whole character', () => {
    const name = rawFilename('🐦'.repeat(300))
    expect(name.length).toBeLessThan(140)
    expect(name.isWellFormed()).toBe(true)
  })
})
