import { randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { startService } from '../../packages/platform/src/service.ts'
import { parseSwitches } from '../../packages/platform/src/switches.ts'
import { demoFile } from './demo-file.ts'
import { atFixedPorts } from './fixed-ports.ts'

/** The local platform as a test sees it, with HTTP and SMTP. It runs in the test's process. */
export interface Platform {
  readonly baseUrl: string
  readonly apiKey: string
  readonly inboxId: string
  readonly inboxAddress: string
  /** Delivers a message by SMTP and waits until the platform has accepted it. */
  readonly deliver: (message: SendMailOptions) => Promise<void>
  /** Calls the platform directly. @returns the parsed body @throws if the status is not 2xx */
  readonly ask: (path: string, request?: { readonly method: string; readonly body?: unknown }) => Promise<unknown>
  /** Takes the platform offline; its mail stays. */
  readonly pause: () => Promise<void>
  /** Brings the platform back at the same address, with the same key. */
  readonly resume: () => Promise<void>
  readonly stop: () => Promise<void>
}

export const startPlatform = async (dataset: 'demo' | 'empty', args: readonly string[] = []): Promise<Platform> => {
  const directory = await mkdtemp(join(tmpdir(), 'linnet-platform-'))
  const file = join(directory, 'platform.sqlite')
  if (dataset === 'demo') await copyFile(await demoFile(), file)
  const apiKey = `re_${randomBytes(24).toString('base64url')}`
  const switches = parseSwitches(['--dataset', dataset, '--rate-limit', 'off', '--data', file, ...args])
  const start = (port: number, smtpPort: number) =>
    startService({ ...switches, port, smtpPort, apiKey, log: () => undefined })
  let service = await atFixedPorts(start)
  const announced = service.announcement
  const smtp = createTransport({ host: '127.0.0.1', port: announced.smtp_port, secure: false, ignoreTLS: true })
  return {
    baseUrl: announced.base_url,
    apiKey: announced.api_key,
    inboxId: announced.inbox_id,
    inboxAddress: announced.inbox_address,
    deliver: async (message) => {
      await smtp.sendMail({ to: announced.inbox_address, ...message })
    },
    ask: async (path, request = { method: 'GET' }) => {
      const answer = await fetch(`${announced.base_url}${path}`, {
        method: request.method,
        headers: {
          authorization: `Bearer ${announced.api_key}`,
          'content-type': 'application/json',
          'user-agent': 'linnet-tests',
        },
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      })
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
      return (await answer.json()) as unknown
    },
    pause: async () => {
      smtp.close()
      await service.close()
    },
    resume: async () => {
      service = await start(Number(new URL(announced.base_url).port), announced.smtp_port)
    },
    stop: async () => {
      smtp.close()
      await service.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
