// @vitest-environment jsdom
import fc from 'fast-check'
import { flushSync, mount, unmount } from 'svelte'
import { describe, expect, it } from 'vitest'
import Correspondents from '../../../src/renderer/features/thread-list/Correspondents.svelte'
import { findCorrespondents } from '../../../src/renderer/features/threads/correspondent.ts'
import type { Thread, ThreadWriter } from '../../../src/shared/model.ts'
import { fixtureThreads } from './support/fixture-mail.ts'

const ME: ThreadWriter = { from: 'Larkspur Support <support@larkspur.example>', isMe: true, isUnread: false }
const person = (from: string, isUnread = false): ThreadWriter => ({ from, isMe: false, isUnread })

type About = Pick<Thread, 'writers' | 'from' | 'to' | 'folder' | 'read'>
const thread = (writers: readonly ThreadWriter[], about: Partial<About> = {}): About => ({
  writers,
  from: writers[0]?.from ?? null,
  to: ['support@larkspur.example'],
  folder: 'inbox',
  read: true,
  ...about,
})
const words = (about: About): string => {
  const { field, named, others, hasMe } = findCorrespondents(about)
  const people = [...named.map(({ name }) => name), ...(others > 0 ? [`+${others}`] : []), ...(hasMe ? ['me'] : [])]
  return `${field === 'to' ? 'To: ' : ''}${people.join(', ')}`
}

describe('correspondents of a row', () => {
  const claire = person('Claire Aubert <claire@aubert.example>')
  const tom = person('"Reed, Tom" <tom@reed.example>')

  it('list the others first and then me, even if I wrote last', () => {
    expect(words(thread([claire]))).toBe('Claire Aubert')
    expect(words(thread([ME, claire]))).toBe('Claire Aubert, me')
    expect(words(thread([claire, ME]))).toBe('Claire Aubert, me')
  })

  it('list the recipients if only I wrote', () => {
    expect(words(thread([ME], { to: ['Claire Aubert <claire@aubert.example>'] }))).toBe('To: Claire Aubert')
    const to = ['claire@aubert.example', 'Tom Reed <tom@reed.example>', 'Ann Lee <ann@x.example>', 'b@x.example']
    expect(words(thread([ME], { to }))).toBe('To: claire, Tom, +2')
    expect(words(thread([ME], { to: [] }))).toBe('me')
  })

  it('use first names if there are several, newest writer last', () => {
    expect(words(thread([tom, claire, ME]))).toBe('Tom, Claire, me')
    const many = ['Ann Lee <a@x.example>', 'Bo Chen <b@x.example>', 'Cy Dent <c@x.example>', 'Di Ek <d@x.example>']
    expect(words(thread(many.map((from) => person(from))))).toBe('Ann, Bo, +2')
    expect(findCorrespondents(thread(many.map((from) => person(from)))).full).toBe('Ann Lee, Bo Chen, Cy Dent, Di Ek')
  })

  it('keep full names if a first name is unclear or shared', () => {
    const names = ['The Proofing Drawer <a@x.example>', 'Dr. Ada Quill <b@x.example>', '山田 太郎 <c@x.example>']
    expect(words(thread(names.map((from) => person(from))))).toBe('The Proofing Drawer, Dr. Ada Quill, 山田')
    const houses = [
      'Mail Delivery System <a@x.example>',
      'Kettle & Crate <b@x.example>',
      'Quill, Baroness of Hohenstein <c@x.example>',
    ]
    expect(words(thread(houses.map((from) => person(from))))).toBe(
      'Mail Delivery System, Kettle & Crate, Quill, Baroness of Hohenstein',
    )
    expect(words(thread([person('Tom Reed <a@x.example>'), person('Tom Hardy <b@x.example>')]))).toBe(
      'Tom Reed, Tom Hardy',
    )
  })

  it('are unread one by one, or all in a thread marked as unread', () => {
    const unread = (about: About): readonly boolean[] => findCorrespondents(about).named.map(({ isUnread }) => isUnread)
    const one = [person('Ann Lee <a@x.example>', true), claire]
    expect(unread(thread(one, { read: false }))).toEqual([true, false])
    expect(unread(thread(one))).toEqual([false, false])
    expect(unread(thread([tom, claire], { read: false }))).toEqual([true, true])
  })

  it('become an unknown sender if there is no name', () => {
    expect(words(thread([]))).toBe('Unknown sender')
    expect(words(thread([person('')]))).toBe('Unknown sender')
  })

  it.each(['me', 'ME', 'mе', ' m\u200be ', 'Claire Aubert, me', 'me & Claire', 'To: Claire Aubert'])(
    'quote a name that looks like our own text, with its address: %s',
    (name) => {
      for (const writers of [
        [person(`"${name}" <eve@evil.example>`)],
        [claire, person(`"${name}" <eve@evil.example>`)],
      ]) {
        const { named, hasMe } = findCorrespondents(thread(writers))
        expect(hasMe).toBe(false)
        expect(named.at(-1)?.name).toMatch(/^“.+” eve@evil\.example$/u)
      }
    },
  )

  it.each([
    [thread([claire, ME]), 'Claire Aubert, me'],
    [thread([ME], { to: ['Claire Aubert <claire@aubert.example>'] }), 'To: Claire Aubert'],
    [
      thread(
        ['Ann Lee <a@x.example>', 'Bo Chen <b@x.example>', 'Cy Dent <c@x.example>', 'Di Ek <d@x.example>'].map((from) =>
          person(from),
        ),
      ),
      'Ann, Bo +2 and 2 more',
    ],
  ])('are separated by spaces, with “me” in its own style', (about, text) => {
    const target = document.createElement('div')
    const [first] = fixtureThreads(1)
    if (first === undefined) throw new Error('one thread was asked for')
    const component = mount(Correspondents, { target, props: { people: findCorrespondents({ ...first, ...about }) } })
    flushSync()
    expect(target.textContent.trim()).toBe(text)
    expect([...target.querySelectorAll('.me')].map((own) => own.textContent)).toEqual(
      text.endsWith('me') ? [', me'] : [],
    )
    void unmount(component)
  })

  it('always show somebody, in bounded length, for any headers', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({ from: fc.string({ unit: 'binary', maxLength: 60 }), isMe: fc.boolean(), isUnread: fc.boolean() }),
        ),
        (writers) => {
          const { named, hasMe } = findCorrespondents(thread(writers))
          expect(named.length > 0 || hasMe).toBe(true)
          for (const { name } of named) expect(name.trim()).not.toBe('')
        },
      ),
    )
    expect(
      findCorrespondents(thread([person(`${'x'.repeat(9000)} <a@x.example>`)])).named[0]?.name.length,
    ).toBeLessThan(2100)
  })
})
