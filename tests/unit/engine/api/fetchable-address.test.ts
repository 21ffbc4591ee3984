import { describe, expect, it } from 'vitest'
import {
  howToFetch,
  isPublicAddress,
  PrivateAddress,
  publicLookup,
} from '../../../../src/engine/api/fetchable-address.ts'

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
  ])('is not: %s', (address) => expect(isPublicAddress(address)).toBe(false))
})

describe('an address that the platform gave', () => {
  const ways = (own: string, addresses: readonly string[]) =>
    addresses.map((address) => howToFetch(new URL(address), new URL(own)))

  it('is fetched from the account’s own origin, whatever that is, and else over https from the Internet', () => {
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

  it('is never one of the person’s own network, however it is written', () => {
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

  it('is judged by what its name leads to at the moment of the connection', async () => {
    const error = await new Promise((resolve) => {
      publicLookup('localhost', { all: true }, (failure) => resolve(failure))
    })
    expect(error).toBeInstanceOf(PrivateAddress)
  })
})
