import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openLogFile } from '../../src/host/log-file.ts'
import { logLine } from '../../src/shared/log.ts'
import { damage } from '../integration/engine/support/damage.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { counts, eachCase } from './support/endurance.ts'

const NAMES = ['linnet.log', 'linnet.1.log', 'level']
const COUNT = counts(32)

it('writes and reads a log at a valid level after any damage to its files', async () => {
  const dataDirectory = temporaryDirectory()
  const logs = join(dataDirectory, 'logs')
  const open = (givenLevel?: string) =>
    openLogFile({ dataDirectory, givenLevel, maxFileBytes: 300, echo: () => undefined })
  await eachCase(COUNT, (seed) => {
    rmSync(logs, { recursive: true, force: true })
    const first = open('info')
    for (let number = 0; number < 10; number += 1) first.log('info', logLine`line number ${number}`)
    first.setLevel('debug')
    for (const [index, name] of NAMES.entries()) damage(join(logs, name), seed + index * 5)
    const { log, level, lastLines } = open()
    expect(['debug', 'info']).toContain(level())
    log('info', logLine`after damage ${seed}`)
    expect(lastLines(1)[0]).toMatch(new RegExp(`after damage ${seed}$`))
  })
})
