import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { endOfLink, openMadeLinks, type KeptLink } from '../../../../src/engine/share-links/made-links.ts'
import { createListFile } from '../../../../src/engine/store/list-file.ts'
import { redact } from '../../../../src/host/redact.ts'
import { LONGEST_SHARE } from '../../../../src/shared/share-duration.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'

const HOUR = 3_600_000

/** The links of a folder, opened as often as a test likes, with what the cache would remember of them. */
const folder = () => {
  const directory = temporaryDirectory()
  const failures: unknown[] = []
  let changes = 0
  let stands = false
  return {
    directory,
    files: ['share-links.json', 'share-links-second.json'].map((name) => join(directory, name)),
    failures,
    changes: () => changes,
    open: () =>
      openMadeLinks(
        directory,
        () => (changes += 1),
        (thrown) => failures.push(thrown),
        { stands: () => stands, remember: (next) => (stands = next) },
      ),
  }
}

const linkTo = (subject: string | null, part: Partial<KeptLink> = {}): Omit<KeptLink, 'id'> => ({
  url: `https://mail.example/shared?token=${encodeURIComponent(subject ?? '')}`,
  of: { list: 'received', emailId: 'email-1' },
  subject,
  from: 'Zoë Ångström <zoe@harbour.example>',
  to: ['ann@mail.example'],
  madeAt: Date.now(),
  expiresAt: Date.now() + HOUR,
  ...part,
})
const subjectsOf = ({ links }: ReturnType<typeof openMadeLinks>, typed?: string) =>
  links.list(typed).map(({ subject }) => subject)

describe('share links that were made on this computer', () => {
  it('are kept from one start to the next, newest first, in files that only their owner reads', () => {
    const { open, files, failures } = folder()
    const { links } = open()
    for (const [index, subject] of ['a', 'b', 'c'].entries()) links.add(linkTo(subject, { madeAt: 1_000 + index }))
    const again = open()
    expect(again.harm).toBeNull()
    expect(subjectsOf(again)).toEqual(['c', 'b', 'a'])
    expect(again.links.list()).toEqual(links.list())
    expect(files.map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600])
    expect(failures).toEqual([])
  })

  it('are on the disk before a window is answered: an end between the two loses none', () => {
    const { directory, open } = folder()
    const module = pathToFileURL(join(import.meta.dirname, '../../../../src/engine/share-links/made-links.ts')).href
    const script = `
      import { openMadeLinks } from ${JSON.stringify(module)}
      const end = () => process.kill(process.pid, 'SIGKILL')
      const reminder = { stands: () => false, remember: () => undefined }
      openMadeLinks(${JSON.stringify(directory)}, end, console.error, reminder).links.add(${JSON.stringify(linkTo('kept'))})
      console.log('answered')`
    const { signal, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
    expect({ signal, stdout }).toEqual({ signal: 'SIGKILL', stdout: '' })
    expect(subjectsOf(open())).toEqual(['kept'])
  })

  it('are found by parts of their subject and people, in any case and with any accent', () => {
    const { open } = folder()
    const opened = open()
    opened.links.add(linkTo('Invoice for Märklin'))
    opened.links.add(linkTo(null, { from: 'bob@mail.example' }))
    expect(subjectsOf(opened, 'marklin INVO')).toEqual(['Invoice for Märklin'])
    expect(subjectsOf(opened, 'angstrom harbour')).toEqual(['Invoice for Märklin'])
    expect(subjectsOf(opened, 'bob@')).toEqual([null])
    expect(subjectsOf(opened, '  ')).toHaveLength(2)
    expect(subjectsOf(opened, 'token')).toEqual([])
  })

  it('stay in the list where the disk does not take them, which is said, and are written with the next', () => {
    const { open, files, failures } = folder()
    const opened = open()
    const [first = ''] = files
    mkdirSync(`${first}.next`)
    expect(opened.links.add(linkTo('a')).isKept).toBe(false)
    expect(subjectsOf(opened)).toEqual(['a'])
    expect(failures).toHaveLength(1)
    rmSync(`${first}.next`, { recursive: true })
    expect(opened.links.add(linkTo('b', { madeAt: Date.now() + 1 })).isKept).toBe(true)
    expect(subjectsOf(open())).toEqual(['b', 'a'])
  })

  it('are forgotten when a person says so, until they take it back', () => {
    const { open, changes } = folder()
    const opened = open()
    const { link } = opened.links.add(linkTo('a', { madeAt: 1 }))
    opened.links.add(linkTo('b', { madeAt: 2 }))
    opened.links.forget(link.id)
    expect(subjectsOf(open())).toEqual(['b'])
    expect(() => open().links.restore(link.id)).toThrow('deleted for good')
    opened.links.restore(link.id)
    expect(subjectsOf(open())).toEqual(['b', 'a'])
    const before = changes()
    opened.links.forget('no such link')
    expect(changes()).toBe(before)
  })

  it('that have expired make room when they are too many, and those that work never do', () => {
    const { open, files } = folder()
    const many = Array.from({ length: 520 }, (_, index) => {
      const expiresAt = index < 510 ? index : Date.now() + HOUR
      return { id: `${index}`, ...linkTo(`${index}`, { madeAt: index, expiresAt }) }
    })
    for (const file of files) createListFile(file, 'share-links', z.any()).write(many)
    const opened = open()
    expect(subjectsOf(opened)).toHaveLength(510)
    opened.links.add(linkTo('520', { madeAt: 520, expiresAt: 520 }))
    const left = subjectsOf(open())
    expect([left.length, left[0], left.at(-1)]).toEqual([510, '520', '11'])
  })

  it.each([
    ['one file', ['x'], 'nothing is lost', ['b', 'a'], 1],
    ['both files', ['x', '{"digest":"0","share-links":['], 'set aside', [], 2],
  ] as const)('are told of where %s were damaged', (_, contents, words, left, asides) => {
    const { open, files, directory } = folder()
    const { links } = open()
    for (const [index, subject] of ['a', 'b'].entries()) links.add(linkTo(subject, { madeAt: index }))
    contents.forEach((content, index) => writeFileSync(files[index] ?? '', content))
    const opened = open()
    expect(opened.harm).toMatchObject({ code: 'storage_failed', message: expect.stringContaining(words) as string })
    expect(subjectsOf(opened)).toEqual(left)
    expect(readdirSync(directory).filter((name) => name.includes('set-aside'))).toHaveLength(asides)
    expect(open().harm).toBeNull()
  })

  it('are told to be missing where both files are gone', () => {
    const { open, files } = folder()
    open().links.add(linkTo('a'))
    for (const file of files) rmSync(file)
    expect(open().harm?.message).toContain('were missing')
  })

  it('never bring a script into the window from a file that somebody else has written', () => {
    const { open, files } = folder()
    open().links.add(linkTo('good'))
    for (const file of files) {
      const text = readFileSync(file, 'utf8').replace(/"url":"[^"]*"/, '"url":"javascript:alert(1)"')
      writeFileSync(file, text)
    }
    expect(open().links.list()).toEqual([])
  })

  it('are secrets: no line of the log shows one', () => {
    const url = 'https://mail.example/shared?token=eyJh.eyJz.c2ln'
    expect(redact(`could not open ${url}`)).not.toContain('eyJ')
  })
})

describe('until when a link works', () => {
  const tokenOf = (claims: unknown): string =>
    `https://mail.example/shared?token=h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`

  it('is as long as was asked for, counted from before it was asked for', () => {
    expect(endOfLink('https://mail.example/shared', 5_000, HOUR)).toBe(5_000 + HOUR)
    expect(endOfLink('https://mail.example/shared', 0, 9 * LONGEST_SHARE)).toBe(LONGEST_SHARE)
  })

  it('is sooner where the token says so, and never later or before it was made', () => {
    expect(endOfLink(tokenOf({ exp: 60 }), 0, HOUR)).toBe(60_000)
    expect(endOfLink(tokenOf({ exp: 999_999 }), 0, HOUR)).toBe(HOUR)
    expect(endOfLink(tokenOf({ exp: 60 }), 90_000, HOUR)).toBe(90_000 + HOUR)
  })

  it('is what was asked for whatever a token holds', () => {
    const odd = fc.oneof(
      fc.string().map((text) => `https://mail.example/shared?token=${encodeURIComponent(text)}`),
      fc.jsonValue().map(tokenOf),
      fc.anything().map((exp) => tokenOf({ exp: typeof exp === 'bigint' ? 0 : String(exp === null) })),
    )
    fc.assert(
      fc.property(odd, (url) => {
        expect(endOfLink(url, 1_000, HOUR)).toBe(1_000 + HOUR)
      }),
      { seed: 3 },
    )
  })
})
