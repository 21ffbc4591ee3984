import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { keepDebOrder, buildDeb, parseFpmArguments } from '../../../scripts/packages/build-deb.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

it('reads fpm arguments as options with values and as paths', () => {
  const order = parseFpmArguments([
    '--name',
    'linnet',
    '--description',
    'a=/b',
    '/tmp/app/=/opt/Linnet',
    'x.png=/usr/share/x.png',
  ])
  expect([...order.switches]).toEqual([
    ['--name', 'linnet'],
    ['--description', 'a=/b'],
  ])
  expect(order.places).toEqual([
    ['/tmp/app/', '/opt/Linnet'],
    ['x.png', '/usr/share/x.png'],
  ])
  expect(() => parseFpmArguments(['--name', 'linnet', '--verbose'])).toThrow('--verbose has no value')
  expect(() => parseFpmArguments(['linnet'])).toThrow('Unknown fpm argument')
})

it.skipIf(!existsSync('/usr/bin/dpkg-deb'))('builds a deb whose files belong to root', async () => {
  const folder = temporaryDirectory()
  mkdirSync(join(folder, 'app'))
  writeFileSync(join(folder, 'app', 'linnet'), 'program')
  writeFileSync(join(folder, 'after'), '#!/bin/sh\n')
  const file = join(folder, 'linnet.deb')
  const told = [
    ...['--name', 'linnet', '--version', '1.0', '--architecture', 'all', '--maintainer', 'Nobody', '--package', file],
    ...['--description', 'Mail\n Of all kinds', '--after-install', join(folder, 'after'), `${folder}/app/=/opt/Linnet`],
  ]
  const order = await keepDebOrder(parseFpmArguments(told), join(folder, 'kept'))
  await buildDeb(order, { depends: ['libc6', 'a | b'], recommends: [] }, join(folder, 'tree'))
  const ask = (...args: string[]): string => execFileSync('dpkg-deb', args, { encoding: 'utf8' })
  expect(ask('--field', file, 'Depends').trim()).toBe('libc6, a | b')
  expect(ask('--field', file, 'Description').trim()).toBe('Mail\n Of all kinds')
  expect(ask('--contents', file)).toMatch(/^-rw-r--r-- root\/root\s+7 .* \.\/opt\/Linnet\/linnet$/m)
  expect(ask('--info', file, 'postinst')).toBe('#!/bin/sh\n')
})
