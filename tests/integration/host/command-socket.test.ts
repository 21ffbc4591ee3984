import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CommandSocket, connectToLinnet } from '../../../src/host/command-socket.ts'
import type { RequestTarget } from '../../../src/host/serve-requests.ts'
import { answerChallenge } from '../../../src/host/challenge-response.ts'
import { ok } from '../../../src/shared/result.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

interface Opened {
  readonly directory: string
  readonly calls: string[]
  readonly log: string[]
  readonly socket: CommandSocket
  readonly announced: () => { readonly address: string; readonly secret: string }
}

const open = async (directory = temporaryDirectory()): Promise<Opened> => {
  const calls: string[] = []
  const log: string[] = []
  const host: RequestTarget = {
    call: (name) => {
      calls.push(name)
      return Promise.resolve(ok(null))
    },
    subscribe: () => () => undefined,
    leave: (caller) => void calls.push(`left ${caller}`),
  }
  const socket = new CommandSocket({
    host,
    dataDirectory: directory,
    follow: (link) => void calls.push(`follows ${link.kind}`),
    log: (level, line) => void log.push(`${level} ${line}`),
  })
  onTestFinished(() => socket.close())
  const file = join(directory, 'command-line.json')
  const isThere = (): boolean => existsSync(file) && readFileSync(file, 'utf8').includes('secret')
  for (let look = 0; look < 500 && !isThere() && log.length === 0; look += 1)
    await new Promise((resolve) => setTimeout(resolve, 10))
  return {
    directory,
    calls,
    log,
    socket,
    announced: () => JSON.parse(readFileSync(file, 'utf8')) as ReturnType<Opened['announced']>,
  }
}

/** Sends a request over an authenticated connection. @returns the response, or null if there is no connection */
const ask = async (directory: string, question: object): Promise<unknown> => {
  const answer = Promise.withResolvers<unknown>()
  const line = await connectToLinnet(
    directory,
    (message) => answer.resolve(JSON.parse(message)),
    () => answer.resolve(null),
  )
  if (line === null) return null
  line.send(JSON.stringify(question))
  const said = await answer.promise
  line.close()
  return said
}

/** The response to an unauthenticated client that sends these lines, until disconnected. */
const sayTo = (address: string, ...lines: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    let heard = ''
    const socket = connect(address)
    socket.setEncoding('utf8').on('data', (text: string) => (heard += text))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(heard))
    socket.on('connect', () => {
      for (const line of lines) socket.write(`${line}\n`)
    })
  })

describe('the command line’s socket', () => {
  it('is private to the user, and accepts the command line’s requests', async () => {
    const { directory, calls, announced } = await open()
    const { address, secret } = announced()
    expect(statSync(join(directory, 'command-line.json')).mode & 0o777).toBe(0o600)
    expect(statSync(address).mode & 0o777).toBe(0o600)
    expect(secret.length).toBeGreaterThan(40)
    expect(await ask(directory, { id: 1, name: 'thread.change', input: {}, accountId: 'a' })).toEqual({
      id: 1,
      result: ok(null),
    })
    expect(await ask(directory, { id: 2, name: 'account.remove', input: {}, accountId: 'a' })).toMatchObject({
      result: { ok: false, error: { code: 'refused' } },
    })
    expect(
      await ask(directory, { id: 3, name: 'link.open', input: 'linnet://thread/a/b', accountId: null }),
    ).toMatchObject({
      result: { ok: true },
    })
    expect(
      await ask(directory, { id: 4, name: 'link.open', input: 'https://example.com', accountId: null }),
    ).toMatchObject({
      result: { ok: false, error: { code: 'invalid_input' } },
    })
    expect(calls.filter((call) => !call.startsWith('left'))).toEqual(['thread.change', 'follows thread'])
  })

  it('rejects clients without proof, keeps its secret, and drops silent ones', async () => {
    const { announced, calls } = await open()
    const { address, secret } = announced()
    const question = 'q'.repeat(22)
    const shown = [
      await sayTo(address, JSON.stringify({ id: 1, name: 'thread.change', input: {}, accountId: null })),
      await sayTo(
        address,
        JSON.stringify({ question }),
        JSON.stringify({ proof: answerChallenge('another secret', question) }),
      ),
      // Linnet's own proof doesn't authenticate a client.
      await sayTo(
        address,
        JSON.stringify({ question }),
        JSON.stringify({ proof: answerChallenge(secret, `linnet ${question}`) }),
      ),
      await sayTo(address, 'x'.repeat(10_000)),
      await sayTo(address),
    ]
    expect(calls).toEqual([])
    for (const heard of shown) expect(heard).not.toContain(secret)
  })

  it('isn’t trusted if the peer can’t prove that it is Linnet', async () => {
    const { directory, announced, socket } = await open()
    const file = join(directory, 'command-line.json')
    const { address, secret } = announced()
    await socket.close()
    expect(existsSync(address)).toBe(false)
    expect(await ask(directory, { id: 1, name: 'sync.status', input: {}, accountId: null })).toBe(null)
    const heard: string[] = []
    const stranger = createServer((client) => {
      client.setEncoding('utf8').on('data', (text: string) => heard.push(text))
      client.write(`${JSON.stringify({ proof: answerChallenge('guessed', 'x'), question: 'q'.repeat(22) })}\n`)
    })
    await new Promise<void>((resolve) => stranger.listen(address, resolve))
    onTestFinished(() => void stranger.close())
    writeFileSync(file, JSON.stringify({ address, secret }))
    expect(await ask(directory, { id: 1, name: 'thread.change', input: 'private', accountId: null })).toBe(null)
    expect(heard.join('')).not.toContain('private')
    for (const broken of ['', 'x', '{}', JSON.stringify({ address: 3, secret })]) {
      writeFileSync(file, broken)
      expect(await ask(directory, { id: 1, name: 'x', input: {}, accountId: null })).toBe(null)
    }
  })

  it('opens after a killed Linnet, and in a folder with a long path', async () => {
    const directory = temporaryDirectory()
    writeFileSync(join(directory, 'linnet.sock'), 'left')
    writeFileSync(join(directory, 'command-line.json'), 'left')
    chmodSync(join(directory, 'command-line.json'), 0o644)
    const { announced } = await open(directory)
    expect(statSync(join(directory, 'command-line.json')).mode & 0o777).toBe(0o600)
    expect(announced().address).toBe(join(directory, 'linnet.sock'))

    const long = join(temporaryDirectory(), 'a'.repeat(120))
    mkdirSync(long)
    const deep = await open(long)
    const { address } = deep.announced()
    expect(address.startsWith(long)).toBe(false)
    expect(await ask(long, { id: 1, name: 'sync.status', input: {}, accountId: null })).toMatchObject({ id: 1 })
    await deep.socket.close()
    expect(existsSync(address)).toBe(false)
  })

  it('is skipped with a log entry if it can’t be opened', async () => {
    const directory = join(temporaryDirectory(), 'gone')
    const { log } = await open(directory)
    expect(log.join()).toContain('no socket for the command line')
    rmSync(directory, { recursive: true, force: true })
  })
})
