import { describe, expect, it } from 'vitest'
import { findUpdateSource } from '../../../../src/main/updates/update-source.ts'

const built = { feed: 'https://releases.linnet.example/download', key: 'built' }
const installed = { isPackaged: true, platform: 'darwin', env: {}, packageType: null, built } as const
const OTHERS = { LINNET_UPDATE_FEED: 'https://evil.example/', LINNET_UPDATE_KEY: 'evil' }

describe('the update source of an installed Linnet', () => {
  it('is the built-in one, whatever the environment says', () => {
    const source = { base: new URL('https://releases.linnet.example/download/'), key: 'built' }
    for (const env of [{}, OTHERS]) expect(findUpdateSource({ ...installed, env })).toEqual({ source })
  })

  it.each([
    ['it was built without a list', { built: { feed: '', key: '' }, env: OTHERS }, 'no-list'],
    ['it was built without a key', { built: { ...built, key: '' } }, 'no-list'],
    ['its list is not encrypted', { built: { ...built, feed: 'http://releases.linnet.example/' } }, 'no-list'],
    ['its list is of this computer', { built: { ...built, feed: 'http://127.0.0.1/' } }, 'no-list'],
    ['it is the portable one', { platform: 'win32', env: { PORTABLE_EXECUTABLE_FILE: 'C:\\Linnet.exe' } }, 'portable'],
    ['it is a directory of Linux', { platform: 'linux' }, 'installed-otherwise'],
  ] as const)('is missing if %s', (_, others, unable) => {
    expect(findUpdateSource({ ...installed, ...others })).toEqual({ unable })
  })

  it.each([
    ['AppImage', { env: { APPIMAGE: '/home/ida/Linnet.AppImage' } }],
    ['package', { packageType: 'deb' }],
  ])('exists for an %s on Linux', (_, others) => {
    expect(findUpdateSource({ ...installed, platform: 'linux', ...others })).toHaveProperty('source')
  })
})

describe('the update source of a Linnet run from its sources', () => {
  it('is missing, or comes from the environment', () => {
    const own = { ...installed, isPackaged: false, platform: 'linux' } as const
    expect(findUpdateSource(own)).toEqual({ unable: 'development' })
    const env = { LINNET_UPDATE_FEED: 'http://127.0.0.1:4000/feed', LINNET_UPDATE_KEY: 'own' }
    expect(findUpdateSource({ ...own, env })).toEqual({
      source: { base: new URL('http://127.0.0.1:4000/feed/'), key: 'own' },
    })
    for (const feed of ['http://evil.example/', 'file:///tmp/', 'nonsense']) {
      expect(findUpdateSource({ ...own, env: { ...env, LINNET_UPDATE_FEED: feed } })).toEqual({ unable: 'development' })
    }
  })
})
