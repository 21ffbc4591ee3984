/** The standard input, to its end, as text. */
export const readInput = async (): Promise<string> => {
  const pieces: Buffer[] = []
  for await (const piece of process.stdin) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('utf8')
}
