import { describe, expect, it } from 'vitest'
import { isDisguisedFilename, detectContentRiskOfBytes, detectNameRisk } from '../../../src/shared/attachment-risk.ts'

describe('attachment risk by name', () => {
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
    ['run.bat/', 'script'],
    ['run.bat*', 'script'],
    [`run.bat${' '.repeat(3_000)}`, 'script'],
    ['wifi.mobileconfig', 'settings'],
    ['notes.txt', null],
    ['photo.jpeg', null],
    ['invoice.pdf', null],
    ['exe', null],
    ['', null],
    [null, null],
  ])('%j: %s', (name, risk) => expect(detectNameRisk(name)).toBe(risk))

  it.each([
    ['invoice.pdf.exe', true],
    ['invoice.PDF .scr', true],
    ['invoice.pdf.bat*', true],
    ['invoice\u202efdp.exe', true],
    ['setup.exe', false],
    ['setup.1.2.exe', false],
    ['invoice.exe.pdf', false],
    ['notes.txt', false],
  ])('%j is disguised: %s', (name, isHidden) => expect(isDisguisedFilename(name)).toBe(isHidden))
})

describe('extensions that a desktop runs, mounts or acts on', () => {
  it.each([
    ['program', 'exe com scr pif msi msix cpl dll sys app dmg pkg deb rpm appimage apk jar jnlp class crx xll chm'],
    ['script', 'bat cmd ps1 vbs vbe js jse wsf wsh hta sh command terminal py scpt reg sct ahk'],
    ['macros', 'docm dotm xlsm xltm xlam xlsb pptm potm ppsm mdb accdb iqy slk one'],
    ['page', 'html htm xhtml mht mhtml svg webarchive'],
    ['disk', 'iso img vhd vhdx vmdk wim'],
    ['shortcut', 'lnk url webloc inetloc desktop scf rdp library-ms search-ms settingcontent-ms appinstaller'],
    ['settings', 'mobileconfig configprofile'],
  ])('%s: %s', (risk, endings) => {
    for (const ending of endings.split(' ')) expect([ending, detectNameRisk(`a.${ending}`)]).toEqual([ending, risk])
  })

  it('exclude those that only display something', () => {
    const endings =
      'pdf docx xlsx pptx odt rtf txt md csv ics vcf png jpg gif webp heic mp3 mp4 zip 7z eml json xml pub'
    for (const ending of endings.split(' ')) expect([ending, detectNameRisk(`a.${ending}`)]).toEqual([ending, null])
  })
})

describe('attachment risk by first bytes', () => {
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
    ['[InternetShortcut]\r\nURL=file://x', 'shortcut'],
    ['[Desktop Entry]\nExec=sh', 'shortcut'],
    ['Windows Registry Editor Version 5.00', 'script'],
    ['<hta:application id="a">', 'page'],
    ['ITSF\x03', 'program'],
    ['vhdxfile\x00', 'disk'],
    ['%PDF-1.7', null],
    ['\x89PNG\r\n\x1a\n', null],
    ['Hello <html> in a sentence', null],
    ['', null],
  ])('%j: %s', (text, risk) => expect(detectContentRiskOfBytes(bytes(text))).toBe(risk))

  it('is known quickly even after endless blanks and comments', () => {
    expect(detectContentRiskOfBytes(bytes('<!--'.repeat(1_000)))).toBeNull()
    expect(detectContentRiskOfBytes(bytes(`${' '.repeat(100_000)}<html>`))).toBeNull()
  })
})
