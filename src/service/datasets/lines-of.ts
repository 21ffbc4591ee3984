import { createReadStream } from 'node:fs'

/**
 * The lines of a file, which end in LF or CRLF: a carriage return within a line is a character like others.
 * @returns lines in Latin-1, a character a byte
 */
export async function* linesOf(path: string): AsyncGenerator<string> {
  let begun: string[] = []
  // Latin-1 keeps every byte as it is.
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
