#!/usr/bin/env node
/**
 * Stand-in for fpm where it can't be downloaded: builds a deb with dpkg's own tool from the arguments that
 * electron-builder passes to fpm.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { listFiles, weigh } from './list-files.ts'

const text = { type: 'string', default: '' } as const
const list = { type: 'string', multiple: true, default: [] as string[] } as const

/** Files to pack are positional, as `FROM=TO`. An unknown option is an error: it may change the package. */
const { values: options, positionals: places } = parseArgs({
  allowPositionals: true,
  options: {
    force: { type: 'boolean' },
    from: { ...text, short: 's' },
    to: { ...text, short: 't' },
    depends: { ...list, short: 'd' },
    'deb-recommends': list,
    'deb-compression': text,
    'deb-priority': text,
    'after-install': text,
    'after-remove': text,
    ...{ name: text, version: text, architecture: text, description: text, category: text, package: text },
    ...{ maintainer: text, vendor: text, url: text, license: text },
  },
})
if (options.to !== 'deb') throw new Error(`This stand-in for fpm builds only debs, not ${options.to}.`)

const folder = mkdtempSync(join(tmpdir(), 'linnet-deb-'))
for (const place of places) {
  const [from = '', to = ''] = place.split('=', 2)
  mkdirSync(join(folder, dirname(to)), { recursive: true })
  cpSync(from, join(folder, to), { recursive: true })
}
const files = await listFiles(folder)
const size = String(Math.ceil((await weigh(folder)) / 1024))

/** Fields of Debian's control file. Continuation lines of a description start with a space. */
const FIELDS = {
  Package: options.name,
  Version: options.version,
  Architecture: options.architecture,
  Maintainer: options.maintainer,
  'Installed-Size': size,
  Depends: options.depends.join(', '),
  Recommends: options['deb-recommends'].join(', '),
  Section: options.category,
  Priority: options['deb-priority'],
  Homepage: options.url,
  Description: options.description.trim().replaceAll(/\n\s*/g, '\n '),
}
const control = join(folder, 'DEBIAN')
mkdirSync(control)
const lines = Object.entries(FIELDS).flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}\n`]))
writeFileSync(join(control, 'control'), lines.join(''))
const sums = files.map((file) => {
  const sum = createHash('md5')
    .update(readFileSync(join(folder, file)))
    .digest('hex')
  return `${sum}  ${file}\n`
})
writeFileSync(join(control, 'md5sums'), sums.join(''))
for (const [script, name] of [
  [options['after-install'], 'postinst'],
  [options['after-remove'], 'postrm'],
] as const) {
  copyFileSync(script, join(control, name))
  chmodSync(join(control, name), 0o755)
}
execFileSync('chmod', ['-R', 'u+rwX,go+rX,go-w', folder])
execFileSync('dpkg-deb', ['--build', '--root-owner-group', '-Zxz', folder, options.package])
rmSync(folder, { recursive: true })
