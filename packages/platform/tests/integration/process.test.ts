import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { BUILT, type Program, root, startProgram } from '../../../../tests/support/program.ts'
import type { StartupAnnouncement } from '../../src/service.ts'
import { eventually } from './service-under-test.ts'
import type { List, SentEmail, Thread } from './wire-shapes.ts'

const entry = BUILT.service
const anyPort = ['--port', '0', '--smtp-port', '0', '--rate-limit', 'off']

describe('the service as a program', () => {
  let folder: string
  let running: Program[] = []
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-program-'))
  })
  afterEach(async () => {
    await Promise.all(running.map((program) => program.stop('SIGKILL')))
    running = []
    await rm(folder, { recursive: true })
  })

  const start = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const program = await startProgram(entry, [...anyPort, ...args], env)
    running.push(program)
    const announced = JSON.parse(program.firstLine) as StartupAnnouncement
    const get = async <Body>(path: string): Promise<Body> => {
      const answer = await fetch(`${announced.base_url}${path}`, {
        headers: { authorization: `Bearer ${announced.api_key}`, 'user-agent': 'tests' },
      })
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
      return (await answer.json()) as Body
    }
    return { program, announced, get, threads: `/inboxes/${announced.inbox_id}/threads` }
  }
  const run = (args: readonly string[]) =>
    spawnSync(process.execPath, [join(root, entry), ...args], { encoding: 'utf8', timeout: 20_000 })

  test('announces itself in one line of JSON, logs elsewhere, and exits on a signal', async () => {
    const { program, announced } = await start(['--dataset', 'empty'])
    expect(Object.keys(announced)).toEqual(['base_url', 'api_key', 'inbox_id', 'inbox_address', 'smtp_port'])
    expect(program.log()).toContain('Listening on')
    expect(await program.stop('SIGTERM')).toBe(0)
  })

  test.each([
    [['--wat'], /^Unknown option '--wat'/],
    [['--port', 'x'], /^--port takes a whole number from 0 to 65535, not "x"\.$/m],
    [['--port', '65536'], /^--port takes/],
    [['--dataset', 'big'], /^--dataset takes demo or empty, not "big"\.$/m],
    [['--rate-limit', '0'], /^--rate-limit takes/],
    [['--authentication', 'spf=maybe'], /^--authentication spf takes pass or fail/],
    [['--authentication', 'arc=pass'], /^--authentication takes header/],
    [['--invalid-key-status', '418'], /^--invalid-key-status takes 400 or 401 or 403/],
    [['--fault', 'error_504'], /^--fault 'error_504': There is no fault error_504\. The faults are delay, /],
    [['--fault', 'error_503', '--fault', 'html times=x'], /^--fault 'html times=x': times takes a whole number/],
    [['stray'], /stray/],
  ])('an invalid switch gets one line and status 2: %j', (args, message) => {
    const { status, stderr, stdout } = run(args)
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  test('a port in use gets one line and status 1', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => taken.once('listening', resolve))
    const { port } = taken.address() as AddressInfo
    for (const [name, args] of [
      ['HTTP', ['--port', `${port}`, '--smtp-port', '0']],
      ['SMTP', ['--port', '0', '--smtp-port', `${port}`]],
    ] as const) {
      const { status, stderr } = run([...args, '--dataset', 'empty'])
      expect([status, stderr]).toEqual([1, `${name} port ${port} is in use by another program.\n`])
    }
    taken.close()
  })

  test('a foreign or invalid database file is rejected and left alone', async () => {
    const file = join(folder, 'letter.txt')
    await writeFile(file, 'Dear reader, this is no database at all, however long it may seem to be.'.repeat(20))
    const before = await readFile(file)
    const { status, stderr } = run([...anyPort, '--data', file])
    expect([status, stderr]).toEqual([1, `${file} is not a database.\n`])
    expect((await readFile(file)).equals(before)).toBe(true)
  })

  test('exits when its parent closes the IPC channel', async () => {
    const child: ChildProcess = fork(join(root, entry), [...anyPort, '--dataset', 'empty'], {
      stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    })
    await new Promise((resolve) => child.stdout?.once('data', resolve))
    const exit = new Promise((resolve) => child.once('exit', resolve))
    child.disconnect()
    expect(await exit).toBe(0)
  })

  test('a restart on the same file keeps everything, including the key', async () => {
    const file = join(folder, 'mail.db')
    const first = await start(['--dataset', 'demo', '--data', file])
    const before = await first.get<List<Thread>>(`${first.threads}?limit=100`)
    await first.program.stop()
    const second = await start(['--dataset', 'demo', '--data', file], {
      LINNET_SERVICE_API_KEY: first.announced.api_key,
    })
    expect(second.announced).toMatchObject({ api_key: first.announced.api_key, inbox_id: first.announced.inbox_id })
    expect(await second.get<List<Thread>>(`${second.threads}?limit=100`)).toEqual(before)
    await second.program.stop()
    // Without the variable, each start has a new key and the previous one is revoked.
    const third = await start(['--data', file])
    expect(third.announced.api_key).not.toBe(first.announced.api_key)
    const old = await fetch(`${third.announced.base_url}/usage`, {
      headers: { authorization: `Bearer ${first.announced.api_key}` },
    })
    expect(old.status).toBe(401)
  })

  test('a half-filled file isn’t mistaken for a complete mailbox', async () => {
    const file = join(folder, 'mail.db')
    const args = [...anyPort, '--dataset', 'empty', '--data', file, '--threads', '1000000']
    const child = spawn(process.execPath, [join(root, entry), ...args], { stdio: 'ignore' })
    await eventually(async () => {
      const { size } = await stat(`${file}-wal`).catch(() => ({ size: 0 }))
      return size > 1_000_000 || undefined
    })
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('exit', resolve))
    const { status, stderr } = run([...anyPort, '--data', file])
    expect([status, stderr]).toEqual([
      1,
      'The service ended while this database was being filled. Delete the file and start again.\n',
    ])
  })

  test('the database file contains no key', async () => {
    const { program, announced, get } = await start(['--dataset', 'empty', '--data', join(folder, 'mail.db')])
    await get('/usage')
    for (const name of await readdir(folder)) {
      expect((await readFile(join(folder, name))).includes(announced.api_key), name).toBe(false)
    }
    await program.stop()
    expect(program.log()).not.toContain(announced.api_key)
  })

  test('keeps everything it acknowledged, once, when killed under load', async () => {
    const file = join(folder, 'mail.db')
    const key = { LINNET_SERVICE_API_KEY: 're_a_key_that_outlives_the_kill' }
    const first = await start(['--dataset', 'empty', '--data', file], key)
    const { base_url, api_key, inbox_address, smtp_port } = first.announced
    const headers = { authorization: `Bearer ${api_key}`, 'user-agent': 'tests' }
    const smtp = createTransport({ host: '127.0.0.1', port: smtp_port, ignoreTLS: true, pool: true, maxConnections: 4 })
    const acknowledged = { mail: [] as string[], sent: [] as string[], contacts: [] as string[] }
    let asked = 0
    const client = async (work: (n: number) => Promise<void>): Promise<void> => {
      for (;;) await work(asked++)
    }
    const clients = [
      ...Array.from({ length: 4 }, () =>
        client(async (n) => {
          await smtp.sendMail({ from: 'ann@example.com', to: inbox_address, subject: `mail ${n}`, text: 'x' })
          acknowledged.mail.push(`mail ${n}`)
        }),
      ),
      ...Array.from({ length: 4 }, () =>
        client(async (n) => {
          const body = JSON.stringify({ from: inbox_address, to: 'eve@example.com', subject: `sent ${n}`, text: 'x' })
          const answer = await fetch(`${base_url}/emails`, {
            method: 'POST',
            body,
            headers: { ...headers, 'idempotency-key': `sent ${n}` },
          })
          if (answer.status === 200) acknowledged.sent.push(`sent ${n}`)
        }),
      ),
      ...Array.from({ length: 4 }, () =>
        client(async (n) => {
          const body = JSON.stringify({ email: `person${n}@example.com` })
          const answer = await fetch(`${base_url}/contacts`, { method: 'POST', body, headers })
          if (answer.status === 201) acknowledged.contacts.push(`person${n}@example.com`)
        }),
      ),
    ].map((work) => work.catch(() => undefined))
    await eventually(() => Promise.resolve(Object.values(acknowledged).every(({ length }) => length > 30) || undefined))
    await first.program.stop('SIGKILL')
    await Promise.all(clients)
    smtp.close()

    const second = await start(['--data', file], key)
    const received = (await second.get<List<{ subject: string }>>('/emails/receiving')).data.map(
      ({ subject }) => subject,
    )
    const contacts = (await second.get<List<{ email: string }>>('/contacts')).data.map(({ email }) => email)
    expect(acknowledged.mail.filter((subject) => !received.includes(subject))).toEqual([])
    expect(acknowledged.contacts.filter((email) => !contacts.includes(email))).toEqual([])
    // A client without a response retries with its idempotency key, which sends nothing twice.
    for (const subject of acknowledged.sent) {
      const body = JSON.stringify({ from: inbox_address, to: 'eve@example.com', subject, text: 'x' })
      await fetch(`${second.announced.base_url}/emails`, {
        method: 'POST',
        body,
        headers: { ...headers, 'idempotency-key': subject },
      })
    }
    const sent: string[] = []
    for (let after = '', more = true; more;) {
      const page: List<SentEmail> = await second.get(`/emails?limit=100${after}`)
      sent.push(...page.data.map(({ subject }) => subject))
      after = `&after=${page.data.at(-1)?.id}`
      more = page.has_more
    }
    expect(acknowledged.sent.filter((subject) => !sent.includes(subject))).toEqual([])
    expect(sent.length).toBe(new Set(sent).size)
  })
})
