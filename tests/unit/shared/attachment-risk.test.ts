import { describe, expect, it } from 'vitest'
import { isDisguised, riskOfBytes, riskOfName } from '../../../src/shared/attachment-risk.ts'

describe('what an attachment may do, by its name', () => {
  it.each([
    ['setup.exe', 'program'],
    ['SETUP.EXE', 'program'],
    ['invoice.pdf.exe', 'program'],
    ['invoice\u202efdp.exe', 'program'],
    ['invoice.e\u200bxe', 'program'],
    ['setup.exe.', 'program'],
    ['setup.exe . .', 'program'],
    ['setup.exe:stream.txt', 'program'],
    ['setup.ｅｘｅ', 'program'],
    ['run.ps1', 'script'],
    ['page.html', 'page'],
    ['drawing.svg', 'page'],
    ['sums.xlsm', 'macros'],
    ['letter.docm', 'macros'],
    ['disk.iso', 'disk'],
    ['readme.lnk', 'shortcut'],
    ['image.app', 'program'],
    ['notes.txt', null],
    ['photo.jpeg', null],
    ['invoice.pdf', null],
    ['exe', null],
    ['', null],
    [null, null],
  ])('%j: %s', (name, risk) => expect(riskOfName(name)).toBe(risk))

  it.each([
    ['invoice.pdf.exe', true],
    ['invoice.PDF .scr', true],
    ['invoice\u202efdp.exe', true],
    ['setup.exe', false],
    ['setup.1.2.exe', false],
    ['invoice.exe.pdf', false],
    ['notes.txt', false],
  ])('%j hides it: %s', (name, isHidden) => expect(isDisguised(name)).toBe(isHidden))
})

describe('what an attachment may do, by its first bytes', () => {
  const bytes = (text: string): Uint8Array => Uint8Array.from(text, (sign) => sign.charCodeAt(0))
  it.each([
    ['MZ\x90\x00', 'program'],
    ['\x7fELF\x02\x01', 'program'],
    ['\xcf\xfa\xed\xfe\x07', 'program'],
    ['\xca\xfe\xba\xbe\x00', 'program'],
    ['#!/bin/sh\nrm', 'script'],
    ['\xef\xbb\xbf#!/bin/sh', 'script'],
    ['<!DOCTYPE html><p>', 'page'],
    ['\n  <html lang="en">', 'page'],
    ['<?xml version="1.0"?><!-- a --><svg xmlns="x">', 'page'],
    ['<script>alert(1)</script>', 'page'],
    ['L\x00\x00\x00\x01\x14\x02\x00\x00\x00\x00\x00\xc0\x00\x00\x00\x00\x00\x00\x46', 'shortcut'],
    ['%PDF-1.7', null],
    ['\x89PNG\r\n\x1a\n', null],
    ['Hello <html> in a sentence', null],
    ['', null],
  ])('%j: %s', (text, risk) => expect(riskOfBytes(bytes(text))).toBe(risk))

  it('is known after a first line of blanks and comments without end, in no time', () => {
    expect(riskOfBytes(bytes('<!--'.repeat(1_000)))).toBeNull()
    expect(riskOfBytes(bytes(`${' '.repeat(100_000)}<html>`))).toBeNull()
  })
})
