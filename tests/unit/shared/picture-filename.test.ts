import { describe, expect, it } from 'vitest'
import { buildPictureFilename } from '../../../src/shared/embedded-picture.ts'

describe('file name of a saved picture', () => {
  it('comes from its attachment, Content-ID or URL', () => {
    expect(buildPictureFilename('cid:ii_1@pier.example', 'image/png', 'Chart of the pier.png')).toBe(
      'Chart of the pier.png',
    )
    expect(buildPictureFilename('cid:image001.png@01DA.ABC', 'image/png')).toBe('image001.png')
    expect(buildPictureFilename('images/gull%20one.gif', 'image/gif')).toBe('gull one.gif')
    expect(buildPictureFilename('https://pier.example/a/boat.JPEG?size=2#top', 'image/jpeg')).toBe('boat.JPEG')
  })

  it('is generic if the message has none', () => {
    for (const address of [
      'data:image/png;base64,AAAA',
      'https://pier.example/',
      'cid:@pier.example',
      'https://pier.example/..',
    ]) {
      expect(buildPictureFilename(address, 'image/webp')).toBe('picture.webp')
    }
  })

  it('gets the extension of its actual type, ignoring the sender’s', () => {
    expect(buildPictureFilename('https://pier.example/invoice.pdf.exe', 'image/png')).toBe('invoice.pdf.png')
    expect(buildPictureFilename('cid:x', 'image/jpeg', 'page.html')).toBe('page.jpg')
    expect(buildPictureFilename('cid:x', 'image/png', 'drawing.svg')).toBe('drawing.png')
    expect(buildPictureFilename('cid:x', 'image/png', 'photo.jpg')).toBe('photo.png')
    expect(buildPictureFilename('https://pier.example/track.php', 'image/gif')).toBe('track.gif')
    expect(buildPictureFilename('cid:x', 'image/png', 'photo.png\u202egpj.exe')).toBe('photo.png gpj.png')
  })

  it('contains no path or device name and fits a file system', () => {
    expect(buildPictureFilename('cid:x', 'image/png', '../../.ssh/authorized_keys')).not.toMatch(/[/\\]|^\./)
    expect(buildPictureFilename('..%2F..%2Fetc%2Fpasswd', 'image/png')).toBe('passwd.png')
    expect(buildPictureFilename('cid:x', 'image/png', 'C:\\Windows\\a.png')).not.toMatch(/[:\\]/)
    expect(buildPictureFilename('cid:x', 'image/bmp', 'con')).toBe('con_.bmp')
    expect(buildPictureFilename(`https://pier.example/${'ä'.repeat(5_000)}.png`, 'image/png')).toMatch(/^ä{50,}\.png$/)
    expect(buildPictureFilename('cid:', 'image/x-icon', ' . ')).toBe('picture.ico')
  })
})
