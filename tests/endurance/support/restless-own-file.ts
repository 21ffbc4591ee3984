/**
 * Process to be killed: writes lists of the user's own data and takes a snapshot after almost every write. Closes and
 * reopens the file now and then. Each write is printed before it begins and once it is done.
 * Arguments: the seed, the folder, and the number of writes so far.
 */
import { OwnFile } from '../../../src/engine/own/own-file.ts'
import { systemClock } from '../../../src/engine/timing/clock.ts'
import { Random } from '../../support/random.ts'

const [seed = '', directory = '', before = ''] = process.argv.slice(2)
const random = new Random(Number(seed))
const print = (word: string, what: unknown): void => {
  process.stdout.write(`${word} ${JSON.stringify(what)}\n`)
}

const open = (): OwnFile =>
  new OwnFile({
    directory,
    clock: { after: (_milliseconds, work, options) => systemClock.after(1, work, options) },
    onCorrupt: () => print('failed', 'damaged'),
    report: (thrown) => print('failed', String(thrown)),
  })

let own = open()
print('open', own.wasRecovered)
for (let write = Number(before) + 1; ; write += 1) {
  const name = `list ${random.below(5)}`
  print('ask', { name, write })
  own.writeList(name, [write, 'x'.repeat(random.below(20_000))])
  print('taken', { name, write })
  if (random.chance(0.2)) {
    await own.close()
    own = open()
  }
  await new Promise((resolve) => setTimeout(resolve, random.below(4)))
}
