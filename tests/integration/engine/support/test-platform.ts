import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { onTestFinished } from 'vitest'
import type { FaultRule } from '../../../../packages/platform/src/http/fault-rule.ts'
import { parseFaultRule } from '../../../../packages/platform/src/http/parse-fault-rule.ts'
import type { Settings } from '../../../../packages/platform/src/settings.ts'
import { type PlatformOptions, startPlatform } from '../../../../packages/platform/src/start-platform.ts'
import { demoFile } from '../../../support/demo-file.ts'
import { atFixedPorts } from '../../../support/fixed-ports.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'
import { testClock } from './test-time.ts'

export class PlatformAnswerError extends Error {
  readonly status: number

  constructor(request: string, status: number, body: string) {
    super(`${request}: ${status} ${body}`)
    this.status = status
  }
}

export interface TestPlatform {
  readonly baseUrl: string
  readonly apiKey: string
  readonly inboxId: string
  readonly inboxAddress: string
  /** Answered requests, such as `GET /inboxes 200`. */
  readonly requests: () => readonly string[]
  readonly deliver: (message: SendMailOptions) => Promise<void>
  /** Sends a request to the platform. @throws PlatformAnswerError if the status is not 2xx */
  readonly ask: <Answer>(method: string, path: string, body?: unknown) => Promise<Answer>
  /** Replaces the injected faults. An empty list removes them. */
  readonly fault: (...rules: readonly (FaultRule | string)[]) => Promise<void>
  readonly stop: () => Promise<void>
}

/** @param port the port of a stopped platform, to restart it */
export const startTestPlatform = async (
  settings: Partial<Settings> = {},
  options: Omit<PlatformOptions, 'settings' | 'now' | 'log'> = {},
): Promise<TestPlatform> => {
  const requests: string[] = []
  const data = options.data ?? (options.dataset === 'demo' ? join(temporaryDirectory(), 'platform.sqlite') : null)
  if (options.dataset === 'demo' && data !== null && !existsSync(data)) copyFileSync(await demoFile(), data)
  const time = testClock()
  const platform = await atFixedPorts((port, smtpPort) =>
    startPlatform({
      port,
      smtpPort,
      ...options,
      data,
      settings: { faults: true, ...settings },
      now: () => time.now(),
      log: (line) => {
        const request = /^(GET|POST|PATCH|PUT|DELETE) (\S+) (\d+) /.exec(line)
        if (request !== null) requests.push(`${request[1] ?? ''} ${request[2] ?? ''} ${request[3] ?? ''}`)
      },
    }),
  )
  const { baseUrl, apiKey, inboxId, inboxAddress } = platform
  const smtp = createTransport({ host: '127.0.0.1', port: platform.smtpPort, ignoreTLS: true, pool: true })
  const ask = async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> => {
    const answer = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'user-agent': 'linnet-tests' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new PlatformAnswerError(`${method} ${path}`, answer.status, await answer.text())
    return (await answer.json()) as Answer
  }
  const stop = (): Promise<void> => {
    smtp.close()
    return platform.close()
  }
  onTestFinished(stop)
  return {
    baseUrl,
    apiKey,
    inboxId,
    inboxAddress,
    requests: () => requests,
    deliver: async (message) => {
      await smtp.sendMail({ from: 'ada@example.com', to: inboxAddress, text: 'Hello', ...message })
    },
    ask,
    // Over HTTP, so requests in flight get the rules from when they were sent.
    fault: async (...rules) => {
      const faults = rules.map((rule) => (typeof rule === 'string' ? parseFaultRule(rule) : rule))
      await ask('PUT', '/_control/faults', { faults })
    },
    stop,
  }
}
