import { describe, expect, it } from 'vitest'
import { rawFilename } from '../../../../src/engine/sync/raw-messages.ts'

describe('the file name of a raw message', () => {
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

  it('is well-formed even if the subject has half a surrogate pair', () => {
    expect(rawFilename('a\ud83d b\udc26 c').isWellFormed()).toBe(true)
  })

  it('fits a file system, and ends in a complete character', () => {
    const name = rawFilename('🐦'.repeat(300))
    expect(name.length).toBeLessThan(140)
    expect(name.isWellFormed()).toBe(true)
  })
})
