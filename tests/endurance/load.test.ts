import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Agent, request } from 'undici'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { StartupAnnouncement } from '../../packages/platform/src/service.ts'
import { BUILT, root } from '../support/program.ts'
import type { List, Plain, Thread } from '../../packages/platform/tests/integration/wire-shapes.ts'
import { counts } from './support/endurance.ts'

const clients = 200
const seconds = counts(5, { long: 60 })
/** Maximum growth of the service, in megabytes, after the first quarter of the run. */
const growth = 150

describe(`${clients} concurrent clients`, () => {
  let child: ChildProcess
  let announced: StartupAnnouncement
  let folder: string
  let agent: Agent
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-load-'))
    const args = [
      '--port',
      '0',
      '--smtp-port',
      '0',
      '--rate-limit',
      'off',
      '--dataset',
      'demo',
      '--data',
      join(folder, 'mail.db'),
    ]
    child = spawn(process.execPath, [join(root, BUILT.service), ...args], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    if (!child.stdout) throw new Error('A piped stdout is always there.')
    const lines = createInterface({ input: child.stdout })
    announced = await new Promise((resolve) =>
      lines.once('line', (line) => {
        resolve(JSON.parse(line) as StartupAnnouncement)
      }),
    )
    agent = new Agent({ connections: clients, keepAliveTimeout: 10_000 })
  })
  afterEach(async () => {
    await agent.close()
    const exit = new Promise((resolve) => child.once('exit', resolve))
    child.kill()
    await exit
    await rm(folder, { recursive: true })
  })

  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- each test declares the shape it reads
  const ask = async <Body>(
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    body?: object,
  ): Promise<{ status: number; body: Body }> => {
    const answer = await request(`${announced.base_url}${path}`, {
      method,
      dispatcher: agent,
      headers: {
        authorization: `Bearer ${announced.api_key}`,
        'user-agent': 'load',
        'content-type': 'application/json',
      },
      body: body ? JSON.stringify(body) : null,
      headersTimeout: 30_000,
      bodyTimeout: 30_000,
    })
    return { status: answer.statusCode, body: (await answer.body.json()) as Body }
  }
  /** Resident megabytes of the service, or null where `/proc` doesn't exist. */
  const memory = async (): Promise<number | null> => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
    const kilobytes = /VmRSS:\s+(\d+)/.exec(status)?.[1]
    return kilobytes === undefined ? null : Number(kilobytes) / 1024
  }

  test(
    'cause no 5xx, no lost write and no unbounded memory',
    async () => {
      const threads = `/inboxes/${announced.inbox_id}/threads`
      const statuses = new Map<number, number>()
      const written = { contacts: new Set<string>(), sent: new Set<string>() }
      const { body: first } = await ask<List<Thread>>('GET', `${threads}?limit=100`)
      const end = Date.now() + seconds * 1000
      const works = [
        (_id: string) => ask('GET', `${threads}?limit=20`),
        (_id: string) => ask('GET', `${threads}/search?query=invoice&limit=5`),
        (id: string) => ask('GET', `${threads}/${first.data[id.length % first.data.length]?.id}/emails?limit=5`),
        (id: string) =>
          ask('PATCH', `${threads}/${first.data[Number(id.split('-')[1]) % 100]?.id}`, { read: id.length % 2 === 0 }),
        async (id: string) => {
          const answer = await ask<Plain>('POST', '/contacts', { email: `c${id}@load.example` })
          if (answer.status === 201) written.contacts.add(answer.body.id)
          return answer
        },
        async (id: string) => {
          const answer = await ask<Plain>('POST', '/emails', {
            from: announced.inbox_address,
            to: 'eve@example.com',
            subject: `s${id}`,
            text: 'x',
          })
          if (answer.status === 200) written.sent.add(answer.body.id)
          return answer
        },
      ]
      const client = async (number: number): Promise<void> => {
        for (let turn = 0; Date.now() < end; turn++) {
          const { status } = (await (works[(number + turn) % works.length] ?? works[0])?.(`${number}-${turn}`)) ?? {
            status: 0,
          }
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }
      }
      const load = Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
      await new Promise((resolve) => setTimeout(resolve, (seconds * 1000) / 4))
      const early = await memory()
      await load
      const late = await memory()

      expect([...statuses.keys()].filter((status) => status !== 200 && status !== 201)).toEqual([])
      expect(written.contacts.size).toBeGreaterThan(0)
      const contacts = new Set((await ask<List<Plain>>('GET', '/contacts')).body.data.map(({ id }) => id))
      expect([...written.contacts].filter((id) => !contacts.has(id))).toEqual([])
      const lost: string[] = []
      for (const id of written.sent) if ((await ask('GET', `/emails/${id}`)).status !== 200) lost.push(id)
      expect(lost).toEqual([])
      if (early !== null && late !== null) expect(late - early).toBeLessThan(growth)
      const total = [...statuses.values()].reduce((sum, count) => sum + count, 0)
      console.log(
        `${total} answers in ${seconds} s, ${written.contacts.size} contacts and ${written.sent.size} e-mails written, ${Math.round(early ?? 0)} to ${Math.round(late ?? 0)} MB`,
      )
    },
    (seconds + 90) * 1000,
  )
})
