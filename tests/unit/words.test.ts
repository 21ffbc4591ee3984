/** Sentences that read translated, and were replaced: none of them comes back, in the window, the documentation or a comment. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')

const REPLACED: readonly string[] = [
  'This window is not let in',
  'with the one that runs it opens another window here',
  'Your words speak of an attachment',
  'Messages stay here until the platform has taken them',
  'The letters of e-mails that are not formatted',
  'drawings made of signs',
  'counts as read once it is open',
  'Select the thread, or not',
  'Read back',
  'Look for new mail',
  'Words that you write often, by a name',
  'By it you find it when you write',
  'Nothing is told in them',
  'none of them only here',
  'The domain of the address confirms that it sent this e-mail',
  'Who wrote it is not checked',
  'may only send e-mails',
  'So many times in a row the platform has to refuse a change',
  'Subjects of which nothing can be sent',
  'Threads of a list of unread ones that were read here',
  'One window has read the list as it is by now',
  'The host as a window has it that is there first',
]

/** In one line, as a person reads it: source wraps sentences anywhere, comments with a star at each line's beginning. */
const asRead = (source: string): string => source.replaceAll(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ').replaceAll(/\s+/g, ' ')

it('no sentence that was replaced is left (W, words)', () => {
  const files = globSync(['src/**/*.{ts,svelte}', 'docs/*.md', '*.md'], { cwd: root })
  const found = files.flatMap((file) => {
    const text = asRead(readFileSync(join(root, file), 'utf8'))
    return REPLACED.filter((sentence) => text.includes(sentence)).map((sentence) => `${file}: ${sentence}`)
  })
  expect(found).toEqual([])
})
