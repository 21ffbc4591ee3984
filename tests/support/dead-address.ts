import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A server that answers nothing while it is stopped. */
const LISTENER = `
const server = require('node:http').createServer((_request, answer) => answer.end('{}'))
server.listen({ host: '::1', port: Number(process.argv[1]), backlog: 1 }, () => process.stdout.write('here'))
`

/** Linux queues one more connection than the backlog of 1. */
const QUEUED = 2

/**
 * Makes a local IPv6 port swallow connections until the test finishes. @returns a function that revives the port, which
 * then answers `{}`
 */
export const killAddress = async (port: number): Promise<() => void> => {
  const program = spawn(process.execPath, ['-e', LISTENER, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    program.kill('SIGKILL')
  })
  await Promise.race([
    once(program.stdout, 'data'),
    once(program, 'exit').then(() => Promise.reject(new Error('The listener exited.'))),
  ])
  program.kill('SIGSTOP')
  for (let count = 0; count < QUEUED; count += 1) {
    const socket = connect(port, '::1')
    socket.on('error', () => undefined)
    sockets.push(socket)
    await once(socket, 'connect')
  }
  return () => program.kill('SIGCONT')
}
