/** Numeric hosts inside private networks, in every spelling a URL allows; requests to them are forbidden. */
export const PRIVATE_NUMBERS: readonly string[] = [
  // Loopback.
  ...['127.0.0.1', '127.0.0.1.', '127.8.8.8', '127.255.255.254', '127.1', '127.0.1', '2130706433', '017700000001'],
  ...['0x7f000001', '0x7f.1', '0x7f.0x0.0x0.0x1', '0177.0.0.1', '0177.1', '127.0x0.00.1'],
  ...['\u2460\u2461\u2466.0.0.1', '%31%32%37.0.0.1', '127\u30020\u30020\u30021', '127\uff0e0\uff0e0\uff0e1'],
  ...['\uff11\uff12\uff17.0.0.1', '0', '00', '0x0', '0.0.0.0', '0.1.2.3'],
  // Private networks (RFC 1918).
  ...['10.0.0.1', '10.1', '10.255.255.255', '0xa.1', '012.0.0.1', '167772161', '0x0a000001'],
  ...['172.16.0.1', '172.16.1', '172.31.255.255', '0xac100001', '2886729729'],
  ...['192.168.0.1', '192.168.1.254', '192.168.257', '0xc0a80001', '3232235521', '0300.0250.0.1'],
  // Link-local addresses, including cloud metadata services, and carrier-grade NAT.
  ...['169.254.169.254', '169.254.43518', '0xa9fea9fe', '2852039166', '0251.0376.0251.0376', '169.254.1.1'],
  ...['100.64.0.1', '100.127.255.255', '0x64400001', '100.100.100.200'],
  // The rest of the special-purpose registries (RFC 6890).
  ...['192.0.0.1', '192.0.0.192', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.19.255.255', '198.51.100.1'],
  ...['203.0.113.9', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255', '192.31.196.1', '192.175.48.1'],
  ...['[::1]', '[0:0:0:0:0:0:0:1]', '[0000::1]', '[::]', '[fe80::1]', '[febf::1]', '[fec0::1]', '[fc00::1]'],
  ...['[fd00::1]', '[fd00:ec2::254]', '[fdff:ffff::1]', '[ff02::1]', '[ff05::2]', '[100::1]', '[3fff::1]', '[5f00::1]'],
  ...['[2001:db8::1]', '[2001:2::1]', '[2001:20::1]', '[4000::1]', '[0:ffff::7f00:1]'],
  // IPv4 inside IPv6: mapped, compatible, translated, 6to4, Teredo.
  ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:7f00:1]', '[::ffff:0.0.0.0]', '[::ffff:10.0.0.1]'],
  ...['[::ffff:192.168.0.1]', '[::ffff:a9fe:a9fe]', '[::ffff:100.64.0.1]', '[::ffff:0:127.0.0.1]'],
  ...['[::127.0.0.1]', '[::7f00:1]', '[::10.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b::a00:1]'],
  ...['[64:ff9b::a9fe:a9fe]', '[64:ff9b::6440:1]', '[64:ff9b:1::a00:1]', '[64:ff9b:1::808:808]'],
  ...['[64:ff9b:1:a00:0:100:808:808]', '[2002:7f00:1::]', '[2002:a00:1::1]', '[2002:c0a8:1::1]'],
  ...['[2002:a9fe:a9fe::]', '[2001:0:7f00:1::]', '[2001::1]'],
]

/** Names that resolve only inside a private network. */
export const PRIVATE_NAMES: readonly string[] = [
  ...['localhost', 'LOCALHOST', 'localhost.', 'LocalHost.', 'a.localhost', 'localhost.localdomain', 'ip6-localhost'],
  ...[
    'router',
    'nas',
    'nas.',
    'nas.local',
    'printer.local.',
    'fritz.box.lan',
    'wiki.internal',
    'intranet',
    'a.intranet',
  ],
  ...['metadata.google.internal', 'host.docker.internal', 'kubernetes.default.svc.cluster.local', 'a.home', 'a.corp'],
  ...['a.private', 'a.home.arpa', 'a.onion'],
]

/** Public names and the addresses they resolve to: a single private one is enough to block the name. */
export const LEADING_THERE: Readonly<Record<string, readonly string[]>> = {
  'loopback.example': ['127.0.0.1'],
  '127.0.0.1.nip.example': ['127.0.0.1'],
  'loopback6.example': ['::1'],
  'zero.example': ['0.0.0.0'],
  'ten.example': ['10.0.0.1'],
  'metadata.example': ['169.254.169.254'],
  'inside.example': ['100.64.0.1'],
  'link.example': ['fe80::1'],
  'own.example': ['fd00::1'],
  'mapped.example': ['::ffff:10.0.0.1'],
  'translated.example': ['64:ff9b::a00:1'],
  'both.example': ['93.184.215.14', '10.0.0.1'],
  'both6.example': ['2606:4700:4700::1111', '::1'],
  'nowhere.example': [],
}

/** URLs that are never fetched, wherever they come from. */
export const UNFETCHABLE: readonly string[] = [
  ...[
    'file:///etc/passwd',
    'file://cdn.example/x',
    'ftp://cdn.example/x',
    'gopher://cdn.example/',
    'dict://cdn.example/',
  ],
  ...[
    'data:image/png;base64,x',
    'javascript:0',
    'blob:https://cdn.example/x',
    'ws://cdn.example/',
    'ldap://cdn.example/',
  ],
  ...['https://ann@cdn.example/', 'https://ann:secret@cdn.example/', 'https://:x@cdn.example/', 'https://[::1'],
  ...[
    'https://cdn.example@127.0.0.1/',
    'https://cdn.example:443@[::1]/',
    'https://127.0.0.1\\@cdn.example/',
    '//127.0.0.1/',
  ],
  ...['https://cdn.example:22/', 'https://cdn.example:25/', 'https://cdn.example:465/', 'https://cdn.example:993/'],
]
