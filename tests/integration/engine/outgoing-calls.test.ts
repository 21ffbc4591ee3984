import { describe, expect, it, onTestFinished } from 'vitest'
import { HttpClient } from '../../../src/engine/platform/http-client.ts'
import { createMailPlatform, type MailPlatform } from '../../../src/engine/platform/mail-platform.ts'
import type { OutgoingFile } from '../../../src/engine/platform/outgoing-body.ts'
import { Network } from '../../../src/engine/platform/network.ts'
import { RequestBudget } from '../../../src/engine/platform/request-budget.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

const clientOf = ({ baseUrl, apiKey }: TestPlatform): MailPlatform => {
  const client = new HttpClient({
    ...{ network: new Network(), baseUrl: new URL(baseUrl), apiKey: () => apiKey, budget: new RequestBudget() },
  })
  onTestFinished(() => client.close())
  return createMailPlatform(client)
}
const options = (idempotencyKey: string) => ({
  priority: 'screen' as const,
  signal: new AbortController().signal,
  idempotencyKey,
})
const fileOf = (bytes: Buffer): OutgoingFile => ({
  filename: 'a.bin',
  contentType: 'application/octet-stream',
  contentId: null,
  size: bytes.byteLength,
  read: async function* () {
    for (let at = 0; at < bytes.byteLength; at += 65_536) yield await Promise.resolve(bytes.subarray(at, at + 65_536))
  },
})

describe('sending calls', () => {
  it('accept 25 MB of files', async () => {
    const platform = await startTestPlatform()
    await platform.deliver({ subject: 'Send me all of it' })
    const { data } = await platform.ask<{ data: { id: string }[] }>('GET', `/inboxes/${platform.inboxId}/threads`)
    const threadId = data[0]?.id ?? ''
    const where = `/inboxes/${platform.inboxId}/threads/${threadId}/emails`
    const emails = await platform.ask<{ data: { id: string }[] }>('GET', where)
    const emailId = emails.data[0]?.id ?? ''
    const bytes = Buffer.alloc(25 * 1024 * 1024, 'linnet')
    const target = { inboxId: platform.inboxId, threadId, emailId }
    const reply = { subject: 'Re: Send me all of it', html: null, text: 'Here it is.', cc: [], bcc: [] }
    const id = await clientOf(platform).reply(target, reply, [fileOf(bytes)], options('key-2'))
    const answers = await platform.ask<{ data: { id: string; attachments: { size: number }[] }[] }>('GET', where)
    expect(answers.data.find((each) => each.id === id)?.attachments).toMatchObject([{ size: bytes.byteLength }])
  }, 60_000)
})
