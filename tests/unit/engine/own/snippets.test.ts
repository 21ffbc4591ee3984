import { describe, expect, it } from 'vitest'
import { SnippetStore } from '../../../../src/engine/own/snippets.ts'
import type { Problem } from '../../../../src/shared/result.ts'
import { parseSnippets, SNIPPET_LIMITS, serializeSnippets } from '../../../../src/shared/snippets.ts'
import { ownLists } from '../support/local-lists.ts'

const snippetsOf = () => {
  const lists = ownLists()
  let changes = 0
  return { ...lists, changes: () => changes, open: () => new SnippetStore(lists.own, () => (changes += 1)) }
}

const problemOf = (work: () => void): Problem => {
  try {
    work()
  } catch (thrown) {
    return (thrown as { problem: Problem }).problem
  }
  throw new Error('It did not fail.')
}

const nobody = (): null => null

describe('signatures and canned replies', () => {
  it('are kept across restarts, replies by name', () => {
    const files = snippetsOf()
    const snippets = files.open()
    snippets.setSignature('inbox-1', '<p>Ann</p>')
    snippets.setSignature('inbox-1', '<p>Ann Lee</p>')
    snippets.setSignature('inbox-2', '<p>Sales</p>')
    snippets.setSignature('inbox-2', '')
    const thanks = snippets.save({ id: null, name: '  Thanks\n a lot ', html: '<p>Thanks, {first_name}.</p>' })
    snippets.save({ id: null, name: 'agreed', html: '<p>Agreed.</p>' })
    snippets.save({ id: thanks.id, name: 'Thank you', html: '<p>Thank you.</p>' })
    const again = files.open()
    expect(again.signatures()).toEqual([{ inboxId: 'inbox-1', html: '<p>Ann Lee</p>' }])
    expect(again.cannedReplies()).toMatchObject([
      { name: 'agreed' },
      { id: thanks.id, name: 'Thank you', html: '<p>Thank you.</p>' },
    ])
    expect(files.changes()).toBe(7)
  })

  it('are restored when their removal is undone', () => {
    const snippets = snippetsOf().open()
    const reply = snippets.save({ id: null, name: 'Thanks', html: '<p>Thanks.</p>' })
    snippets.remove(reply.id)
    snippets.remove(reply.id)
    expect(snippets.cannedReplies()).toEqual([])
    expect(snippets.save(reply)).toEqual(reply)
    expect(snippets.cannedReplies()).toEqual([reply])
  })

  it('stay unchanged if the disk is full', () => {
    const files = snippetsOf()
    const snippets = files.open()
    snippets.setSignature('inbox-1', '<p>Ann</p>')
    files.fill(true)
    expect(() => snippets.setSignature('inbox-1', '<p>Bob</p>')).toThrow()
    expect(snippets.signatures()).toEqual([{ inboxId: 'inbox-1', html: '<p>Ann</p>' }])
  })

  it('have unique names', () => {
    const snippets = snippetsOf().open()
    const { id } = snippets.save({ id: null, name: 'Thanks', html: '' })
    expect(snippets.save({ id, name: 'THANKS', html: '<p>Other words.</p>' }).name).toBe('THANKS')
    expect(problemOf(() => snippets.save({ id: null, name: ' thanks', html: '' })).message).toContain('already')
    expect(problemOf(() => snippets.save({ id: null, name: ' ', html: '' })).code).toBe('invalid_input')
    const long = 'a'.repeat(SNIPPET_LIMITS.name + 1)
    expect(problemOf(() => snippets.save({ id: null, name: long, html: '' })).message).toContain('100')
  })
})

describe('a file of signatures and canned replies', () => {
  const written = serializeSnippets({
    signatures: [
      { inboxId: 'there-1', address: 'support@example.com', html: '<p>Support</p>' },
      { inboxId: 'there-2', address: 'gone@example.com', html: '<p>Gone</p>' },
      { inboxId: 'there-3', address: null, html: '<p>Nobody</p>' },
    ],
    cannedReplies: [{ id: 'x', name: 'Thanks', html: '<p>Thanks.</p>' }],
  })
  const read = () => parseSnippets(written) ?? { signatures: [], cannedReplies: [] }
  const inboxOf = (address: string): string | null => (address === 'support@example.com' ? 'inbox-1' : null)

  it('is imported once, by the addresses of inboxes', () => {
    const files = snippetsOf()
    const snippets = files.open()
    const leftOut = ['gone@example.com']
    expect(snippets.importSnippets(read(), inboxOf)).toEqual({ cannedReplies: 1, signatures: 1, same: 0, leftOut })
    expect(snippets.importSnippets(read(), inboxOf)).toEqual({ cannedReplies: 0, signatures: 0, same: 2, leftOut })
    expect(files.changes()).toBe(2)
    expect(files.open().signatures()).toEqual([{ inboxId: 'inbox-1', html: '<p>Support</p>' }])
  })

  it('changes no existing entries', () => {
    const snippets = snippetsOf().open()
    snippets.setSignature('inbox-1', '<p>Ann</p>')
    snippets.save({ id: null, name: 'thanks', html: '<p>Many thanks.</p>' })
    expect(snippets.importSnippets(read(), inboxOf)).toEqual({
      cannedReplies: 1,
      signatures: 0,
      same: 0,
      leftOut: ['support@example.com', 'gone@example.com'],
    })
    expect(snippets.signatures()).toEqual([{ inboxId: 'inbox-1', html: '<p>Ann</p>' }])
    expect(snippets.cannedReplies().map(({ name }) => name)).toEqual(['thanks', 'Thanks (2)'])
  })

  it('is rejected as a whole if there would be too many', () => {
    const snippets = snippetsOf().open()
    snippets.save({ id: null, name: 'Thanks', html: '' })
    const cannedReplies = Array.from({ length: SNIPPET_LIMITS.cannedReplies }, (_, at) => ({ name: `${at}`, html: '' }))
    expect(problemOf(() => snippets.importSnippets({ signatures: [], cannedReplies }, nobody)).code).toBe(
      'invalid_input',
    )
    expect(snippets.cannedReplies()).toHaveLength(1)
  })

  it('is rejected if it is anything else', () => {
    expect(read()).toMatchObject({ cannedReplies: [{ name: 'Thanks' }] })
    for (const text of ['', '{}', '[]', written.replace('linnet-snippets', 'other'), written.replace('"html"', '"h"')])
      expect(parseSnippets(text)).toBeNull()
  })
})
