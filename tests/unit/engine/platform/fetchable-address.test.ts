import { describe, expect, it } from 'vitest'
import {
  classifyFetchTarget,
  isFetchablePicture,
  isPublicAddress,
  PrivateAddressError,
  lookupPublicAddress,
} from '../../../../src/engine/platform/fetchable-address.ts'

describe('an IP address', () => {
  it.each([
    '93.184.215.14',
    '1.1.1.1',
    '2606:4700:4700::1111',
    '::ffff:1.1.1.1',
    '64:ff9b::101:101',
    '2002:101:101::1',
  ])('is public: %s', (address) => expect(isPublicAddress(address)).toBe(true))

  it.each([
    ...[
      '127.0.0.1',
      '127.8.8.8',
      '0.0.0.0',
      '10.1.2.3',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '169.254.169.254',
    ],
    ...['100.64.0.1', '224.0.0.1', '255.255.255.255', '::1', '::', 'fe80::1', 'fc00::1', 'fd12::1', 'ff02::1', '[::1]'],
    ...['::ffff:127.0.0.1', '::ffff:10.0.0.1', '64:ff9b::a00:1', '2002:a00:1::1', '2002:7f00:1::', 'words', ''],
    // The rest of the special-purpose registries (RFC 6890).
    ...['0.1.2.3', '192.0.0.1', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.51.100.1', '203.0.113.9', '240.0.0.1'],
    ...['192.31.196.1', '192.52.193.1', '192.175.48.1', '100.127.255.255', '239.1.1.1', '2001:2::1', '2001:20::1'],
    ...['3fff::1', '5f00::1', '100::1', '64:ff9b::6440:1', '64:ff9b::a9fe:a9fe', '2002:a9fe:a9fe::', '2002:6440:1::'],
    ...['::ffff:100.64.0.1', '::ffff:0:7f00:1', '2001:0:7f00:1::', 'fe80::1%eth0', '::1%lo', 'febf::1'],
    // Translation inside a network: outsiders can't tell which part is the IPv4 address.
    ...['64:ff9b:1::a00:1', '64:ff9b:1:a00:0:100:808:808', '64:ff9b:1::808:808'],
    ...['::127.0.0.1', '::a00:1', '4000::1', 'fec0::1', '2001::1', '2001:db8::1', '0:ffff::7f00:1'],
  ])('is not public: %s', (address) => expect(isPublicAddress(address)).toBe(false))
})

describe('an address from the platform', () => {
  const ways = (own: string, addresses: readonly string[]) =>
    addresses.map((address) => classifyFetchTarget(new URL(address), new URL(own)))

  it('is fetched from the account’s own origin, or else over https from the Internet', () => {
    expect(
      ways('http://127.0.0.1:4700/api', [
        'http://127.0.0.1:4700/raw',
        'https://cdn.example.com/raw',
        'http://127.0.0.1:4701/raw',
        'http://localhost:4700/raw',
        'http://cdn.example.com/raw',
      ]),
    ).toEqual(['own', 'public', null, null, null])
  })

  it('is never in the user’s private network, however it is written', () => {
    expect(
      ways('https://api.example.com', [
        'https://api.example.com/raw',
        'https://127.0.0.1/raw',
        'https://2130706433/raw',
        'https://0x7f.1/raw',
        'https://[::1]/raw',
        'https://[::ffff:192.168.1.1]/raw',
        'https://169.254.169.254/latest',
        'https://user:secret@cdn.example.com/raw',
        'http://api.example.com/raw',
        'file:///etc/passwd',
        'data:text/plain,x',
      ]),
    ).toEqual(['own', ...Array.from({ length: 10 }, () => null)])
  })

  it('is judged by what its name resolves to on connecting', async () => {
    const error = await new Promise((resolve) => {
      lookupPublicAddress('localhost', { all: true }, (failure) => resolve(failure))
    })
    expect(error).toBeInstanceOf(PrivateAddressError)
  })
})

describe('a picture in an e-mail', () => {
  it.each([
    'http://pictures.example.com/a.png',
    'https://pictures.example.com:8443/a.png?b=c',
    'https://1.1.1.1/a.png',
    'https://[2606:4700:4700::1111]/a.png',
    'http://b\u00fccher.example.com/a.png',
  ])('may be fetched: %s', (address) => expect(isFetchablePicture(new URL(address))).toBe(true))

  it.each([
    ...['ftp://pictures.example.com/a.png', 'file:///etc/passwd', 'data:image/png,x', 'gopher://a.example.com/'],
    ...['https://ann@pictures.example.com/', 'https://ann:secret@pictures.example.com/', 'https://:x@a.example.com/'],
    ...['http://127.0.0.1/', 'http://127.1/', 'http://2130706433/', 'http://0x7f000001/', 'http://0177.0.0.1/'],
    ...[
      'http://0/',
      'http://0.0.0.0/',
      'http://10.0.0.1/',
      'http://0xa.1/',
      'http://172.16.3.4/',
      'http://192.168.0.1/',
    ],
    ...['http://169.254.169.254/latest/meta-data', 'http://[::1]/', 'http://[::]/', 'http://[::ffff:127.0.0.1]/'],
    ...[
      'http://[::ffff:7f00:1]/',
      'http://[fe80::1]/',
      'http://[fd00::1]/',
      'http://[::127.0.0.1]/',
      'http://127.0.0.1./',
    ],
    ...['http://\u2460\u2461\u2466.0.0.1/', 'http://%31%32%37.0.0.1/', 'http://127\u30020\u30020\u30021/'],
    ...['http://localhost/', 'http://LOCALHOST./', 'http://a.localhost/', 'http://router/', 'http://nas.local/'],
    ...['http://fritz.box.lan/', 'http://metadata.google.internal/', 'http://a.home.arpa/', 'http://a.onion/'],
    ...['http://mail.example.com:25/', 'https://mail.example.com:993/', 'http://a.example.com:22/'],
  ])('may not be fetched: %s', (address) => {
    // Strings that aren't URLs aren't fetched either.
    expect(URL.canParse(address) && isFetchablePicture(new URL(address))).toBe(false)
  })
})
