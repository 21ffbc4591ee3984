import { describe, expect, it } from 'vitest'
import { detectFileType } from '../../../src/engine/mail/attachments/display-kind.ts'
import { toAttachmentFilename } from '../../../src/shared/attachment-filename.ts'

describe('attachment name', () => {
  it.each([
    ['text/calendar; charset=utf-8; method=REQUEST', 'attachment.ics'],
    ['application/ics', 'attachment.ics'],
    ['message/rfc822', 'attachment.eml'],
    ['application/pdf', 'attachment.pdf'],
    ['Image/JPEG', 'attachment.jpg'],
    ['image/svg+xml', 'attachment.svg'],
    ['audio/mpeg', 'attachment.mp3'],
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'attachment.docx'],
    ['application/pkcs7-mime', 'attachment.p7m'],
    ['message/delivery-status', 'attachment.txt'],
    ['message/disposition-notification', 'attachment.txt'],
    ['text/rfc822-headers', 'attachment.txt'],
    ['text/x-unheard-of', 'attachment.txt'],
    ['application/x-msdownload', 'attachment.exe'],
    ['application/octet-stream', 'attachment'],
    ['constructor', 'attachment'],
    [null, 'attachment'],
  ])('is derived from the type if missing: %s', (contentType, name) => {
    expect(toAttachmentFilename({ filename: null, contentType })).toBe(name)
    expect(toAttachmentFilename({ filename: ' .. ', contentType })).toBe(name)
  })

  it('is its own if present', () => {
    expect(toAttachmentFilename({ filename: 'a/b.txt', contentType: 'application/pdf' })).toBe('a b.txt')
  })

  it.each([
    ['%PDF-1.7', 'application/pdf'],
    ['\ufeffBEGIN:VCALENDAR\r\nVERSION:2.0', 'text/calendar'],
    ['Reporting-MTA: dns; a.example', 'message/delivery-status'],
    ['Received: from a by b', 'message/rfc822'],
    ['PK\u0003\u0004 \u0000', 'application/zip'],
    ['some words', 'text/plain'],
    ['\u0001\u0002\u0003', null],
  ])('is derived from the bytes without a type: %j', (text, type) => {
    expect(detectFileType(Buffer.from(text))).toBe(type)
  })
})
