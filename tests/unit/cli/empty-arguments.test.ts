import { expect, test } from 'vitest'
import { COMMANDS } from '../../../src/cli/commands.ts'
import { Terminal } from '../../../src/cli/terminal.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

/** An argument left empty by an unset variable or a typo. */
const EMPTY = ['', ' ', '\t', '\u200b', '\u00ad\u2060', '\u3000']

const run = async (name: string, args: readonly string[]): Promise<unknown> => {
  const command = COMMANDS.find((each) => each.name === name)
  if (command === undefined) throw new Error(`There is no command ${name}.`)
  return command
    .run([...args, '--data', temporaryDirectory()], new Terminal(process))
    .catch((thrown: unknown) => thrown)
}

const NAMES = COMMANDS.map(({ name }) => name)

test.each(NAMES)('%s rejects an empty argument before doing anything', async (name) => {
  for (const argument of EMPTY) {
    expect(await run(name, [argument])).toMatchObject({ exitCode: 2 })
    expect(await run(name, ['invoice', argument])).toMatchObject({ exitCode: 2 })
  }
})

test.each(NAMES)('%s rejects an empty option', async (name) => {
  const options = Object.entries(COMMANDS.find((each) => each.name === name)?.options ?? {})
  for (const [option] of [...options.filter(([, { type }]) => type === 'string'), ['account'] as const]) {
    for (const value of EMPTY) expect(await run(name, [`--${option}=${value}`])).toMatchObject({ exitCode: 2 })
  }
})

test.each(NAMES.filter((name) => !['backup', 'restore'].includes(name)))(
  '%s refuses an argument with an open quote',
  async (name) => {
    for (const argument of ['"', '"invoice', 'subject:"two words']) {
      expect(await run(name, [argument])).toMatchObject({ exitCode: 2, message: /closing quote/ })
    }
  },
)
