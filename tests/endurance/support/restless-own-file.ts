/**
 * Process to be killed: writes lists of the user's own data and takes a snapshot after almost every write. Closes and
 * reopens the file now and then. Each write is printed before it begins and once it is done.
 * Arguments: the seed, the folder, and the number of writes so far. Writes that the disk refuses are printed, too.
 */
import { OwnFile } from '../../../src/engine/own/own-file.ts'
import { systemClock } from '../../../src/engine/timing/clock.ts'
import { getErrorCode } from '../../../src/shared/storage-problem.ts'
import { Random } from '../../support/random.ts'

const [seed = '', directory = '', before = ''] = process.argv.slice(2)
const random = new Random(Number(seed))
const print = (word: string, what: unknown): void => {
  process.stdout.write(`${word} ${JSON.stringify(what)}\n`)
}

const open = async (write: number): Promise<OwnFile> => {
  for (;;) {
    try {
      return new OwnFile({
        directory,
        clock: { after: (_milliseconds, work, options) => systemClock.after(1, work, options) },
        onCorrupt: () => print('failed', 'damaged'),
        report: (thrown) => print('failed', String(thrown)),
      })
    } catch (thrown) {
      print('refused', { name: '', write, code: getErrorCode(thrown) })
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
}

let own = await open(Number(before))
print('open', own.wasRecovered)
for (let write = Number(before) + 1; ; write += 1) {
  const name = `list ${random.below(5)}`
  print('ask', { name, write })
  try {
    own.writeList(name, [write, 'x'.repeat(random.below(20_000))])
    print('taken', { name, write })
  } catch (thrown) {
    print('refused', { name, write, code: getErrorCode(thrown) })
  }
  if (random.chance(0.2)) {
    await own.close()
    own = await open(write)
  }
  await new Promise((resolve) => setTimeout(resolve, random.below(4)))
}
