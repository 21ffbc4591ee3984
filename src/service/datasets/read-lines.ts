import { createReadStream } from 'node:fs'

/** Lines that end in LF or CRLF; a lone CR is an ordinary character. @returns Latin-1, one character per byte */
export async function* readLines(path: string): AsyncGenerator<string> {
  let begun: string[] = []
  // Latin-1 preserves every byte.
  for await (const chunk of createReadStream(path, 'latin1') as AsyncIterable<string>) {
    const [first = '', ...others] = chunk.split('\n')
    begun.push(first)
    for (const next of others) {
      yield begun.join('').replace(/\r$/, '')
      begun = [next]
    }
  }
  const last = begun.join('')
  if (last !== '') yield last.replace(/\r$/, '')
}
