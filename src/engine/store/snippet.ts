import { htmlToWords } from '../../shared/mail-text/html-to-text.ts'

const LENGTH = 200
const MAX_INPUT_LENGTH = 64 * 1024
/**
 * Invisible or blank characters that newsletters use as padding. Doesn't match emoji joiners, variation selectors and
 * direction marks.
 */
const UNSEEN =
  /(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)(?:\u200d|\ufe0f)|(?!\u200d|\ufe0f|[\u202a-\u202e\u2066-\u2069])\p{Default_Ignorable_Code_Point}|\u2800/gu

const withoutQuotes = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !line.startsWith('>'))
    .join('\n')

/** One line of text without quoted text, at most 200 characters; null if there is none. */
export const extractSnippet = ({
  text,
  html,
}: {
  readonly text: string | null
  readonly html: string | null
}): string | null => {
  const body =
    text === null || text.trim() === ''
      ? htmlToWords((html ?? '').slice(0, MAX_INPUT_LENGTH))
      : withoutQuotes(text.slice(0, MAX_INPUT_LENGTH))
  const line = body.replace(UNSEEN, '').replace(/\s+/g, ' ').trim()
  return line === ''
    ? null
    : Array.from(line.slice(0, LENGTH * 2))
        .slice(0, LENGTH)
        .join('')
}
