import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { measureMailRate } from '../../../../tests/support/mail-rate.ts'
import { BUILT, type Program, startProgram } from '../../../../tests/support/program.ts'
import type { StartupAnnouncement } from '../../src/service.ts'
import { type ServiceUnderTest, eventually, startTestService } from './service-under-test.ts'

const everywhere = 'folders=inbox,archive,sent,spam,trash'

/** Searches take turns with other requests: the local platform has no index, so each search reads all mail. */
describe('mail during searches', () => {
  let folder: string
  let program: Program | null = null
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-search-'))
  })
  afterEach(async () => {
    await program?.stop('SIGKILL')
    program = null
    await rm(folder, { recursive: true })
  })

  test.each([
    ['in memory', () => []],
    ['in a file', () => ['--data', join(folder, 'mail.db')]],
  ])('keeps arriving when stored %s', async (_where, data) => {
    program = await startProgram(BUILT.service, [
      ...[
        '--port',
        '0',
        '--smtp-port',
        '0',
        '--rate-limit',
        'off',
        '--dataset',
        'empty',
        '--threads',
        '4000',
        ...data(),
      ],
    ])
    const announced = JSON.parse(program.firstLine) as StartupAnnouncement
    const { alone, beside, searches } = await measureMailRate(
      {
        baseUrl: announced.base_url,
        apiKey: announced.api_key,
        inboxId: announced.inbox_id,
        inboxAddress: announced.inbox_address,
        smtpPort: announced.smtp_port,
      },
      { searchers: 4, rounds: 2, roundMs: 300 },
    )
    console.log(
      `${Math.round(alone)} messages/s, beside four searchers ${Math.round(beside)}/s; ${Math.round(searches)} searches/s`,
    )
    // A quiet machine reaches a quarter (`npm run bench -- service-search`); a blocked service only 0.02.
    expect(beside / alone).toBeGreaterThan(0.1)
  })
})

describe('a running search', () => {
  let service: ServiceUnderTest
  let log: string[]
  beforeEach(async () => {
    log = []
    service = await startTestService({
      service: { generate: { threads: 3000, seed: 1 }, log: (line) => log.push(line.replace(/ \d+ ms$/, '')) },
    })
  })
  afterEach(() => service.close())

  const path = (): string => `/inboxes/${service.inboxId}/threads/search?query=nowhere&${everywhere}`
  const search = (signal: AbortSignal | null = null): Promise<number> =>
    fetch(`${service.baseUrl}${path()}`, {
      headers: { authorization: `Bearer ${service.apiKey}`, 'user-agent': 'tests' },
      signal,
    }).then((answer) => answer.status)
  const logged = (status: number): number =>
    log.filter((line) => line.startsWith('GET ') && line.endsWith(`/search ${status}`)).length

  test('stops when its client disconnects, and waiting ones are answered', async () => {
    const client = new AbortController()
    const abandoned = Promise.allSettled(Array.from({ length: 40 }, () => search(client.signal)))
    await eventually(() => Promise.resolve(logged(200) > 0 || undefined))
    const waiting = search()
    client.abort()
    await abandoned
    expect(await waiting).toBe(200)
    await eventually(() => Promise.resolve(logged(200) + logged(503) === 41 || undefined))
    // Some searches were answered before the service noticed the disconnect; most were never started.
    expect(logged(503)).toBeGreaterThan(20)
    expect(log.filter((line) => line.startsWith('Unexpected'))).toEqual([])
  })

  test('is abandoned with waiting ones when the service stops', async () => {
    const asked = Promise.allSettled(Array.from({ length: 300 }, () => search()))
    await eventually(() => Promise.resolve(logged(200) > 0 || undefined))
    await service.close()
    const answers = await asked
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
    expect(log.filter((line) => line.startsWith('Unexpected'))).toEqual([])
    service = await startTestService()
  })
})
