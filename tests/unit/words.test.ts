/** Sentences that read translated, and were replaced: none of them comes back, in the window, the documentation or a comment. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stringsOf } from '../../scripts/strings.ts'

const root = join(import.meta.dirname, '..', '..')

/** Whole sentences and their parts, from the screen and from comments: held in every file of the sources and the documentation. */
const REPLACED: readonly string[] = [
  'This window is not let in',
  'with the one that runs it opens another window here',
  'Your words speak of an attachment',
  'an attachment, and nothing is attached',
  'Messages stay here until the platform has taken them',
  'those that it is to send later until their time',
  'The letters of e-mails that are not formatted',
  'tables and drawings made of signs',
  'stand as they were typed',
  'counts as read once it is open',
  'Shift I marks it at any time',
  'Close who is writing',
  'Select the thread, or not',
  'Look for new mail',
  'Go on writing',
  'Show what was written before',
  'Words that you write often',
  'By it you find it when you write',
  'Nothing is told in them',
  'none of them only here',
  'The domain of the address confirms',
  'Who wrote it is not checked',
  'There is no subject: in searches',
  'Put the words into quotes to look for them as they are',
  'may only send e-mails',
  'So many times in a row the platform has to refuse a change',
  'as if something were gone that it has, until the change is taken back',
  'Subjects of which nothing can be sent',
  'all that waits of them waits for something else',
  'Threads of a list of unread ones that were read here',
  'by being opened or in so many words',
  'One window has read the list as it is by now',
  'the others have not heard of it',
  'The host as a window has it that is there first',
]

/**
 * Phrases that a comment may need, and no person is to read. Two phrases of the list are held nowhere, as they are right where they
 * are used: “Remove it” is the button that takes a part out of a search, and its sentence names the part; “Kept” heads what
 * is not cleared.
 */
const NOT_SHOWN: readonly RegExp[] = [
  /\bRead back\b|^Who is writing\b/,
  /\bwhat was written before\b/i,
  /\bmade of signs\b|\byour words\b/i,
  /\b(?:is|are) told\b/i,
  /\b(?:has|have) taken\b|\btaken back\b|\bare taken\b/i,
  /\bnot (?:let in|any ?more)\b/i,
  /\bcannot read any\b/i,
  /\bis writing\b(?= to)|\bspeaks? of\b/i,
  // Relative clauses where a noun exists.
  /\b(?:of|for|to|with|from) (?:which|whom)\b/i,
  /\b(?:is|are) kept here\b/i,
  // A bound is “can have at most 25; this one has 26”, and an obligation is “must”.
  /\b(?:has|have) to be\b|\bat most\.|\bat most, and\b/i,
  // One word for one thing: mail is downloaded, and what a thread consists of are messages.
  /\bfetch(?:ed|es|ing)\b|\bFetch\b/,
  /\} e-mails?\b|\d e-mails?\b|\b[Tt]his e-mail\b(?! of)/,
  // Files of a stranger “can harm your computer”.
  /\bdo harm\b/i,
]
/** Names for those who listen that tests and screen readers find parts of the window by. */
const NAMES: readonly string[] = ['Text of this e-mail', 'Pictures of this e-mail']

/** In one line, as a person reads it: source wraps sentences anywhere, comments with a star at each line's beginning. */
const asRead = (source: string): string => source.replaceAll(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ').replaceAll(/\s+/g, ' ')

const COMMENT = /\/\*[^]*?\*\/|^\s*\/\/.*$|<!--[^]*?-->/gm

describe('no phrase that was replaced (W, words)', () => {
  it('is left in the sources and the documentation', () => {
    const files = globSync(['src/**/*.{ts,svelte}', 'docs/*.md', '*.md'], { cwd: root })
    const found = files.flatMap((file) => {
      const text = asRead(readFileSync(join(root, file), 'utf8')).toLowerCase()
      return REPLACED.filter((phrase) => text.includes(phrase.toLowerCase())).map((phrase) => `${file}: ${phrase}`)
    })
    expect(found).toEqual([])
  })

  it('is read in the window, a terminal or an error', () => {
    const isHeld = (text: string): boolean => !NAMES.includes(text) && NOT_SHOWN.some((phrase) => phrase.test(text))
    const rooms = 'src/{renderer,shared,host,main,preload,browser,cli,engine}/**/*.{ts,svelte}'
    const found = globSync(rooms, { cwd: root }).flatMap((file) => {
      const source = readFileSync(join(root, file), 'utf8')
      // Taking a file apart costs more than looking for what none of its strings can have.
      if (!isHeld(asRead(source.replaceAll(COMMENT, '')))) return []
      return stringsOf(file, source)
        .filter(({ text }) => isHeld(text))
        .map(({ line, text }) => `${file}:${line}: ${text}`)
    })
    expect(found).toEqual([])
  })
})
