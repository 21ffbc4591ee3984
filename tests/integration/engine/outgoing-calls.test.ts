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
const sentOf = ({ ask }: TestPlatform) => ask<{ data: { id: string; subject: string }[] }>('GET', '/emails')

describe('sending calls', () => {
  it('send once per key, even if the response is lost', async () => {
    const platform = await startTestPlatform()
    const api = clientOf(platform)
    const email = {
      from: { name: 'Support, all of it', address: platform.inboxAddress },
      to: [{ name: 'Ann', address: 'ann@example.com' }],
      cc: [],
      bcc: [{ name: null, address: 'bcc@example.com' }],
      subject: 'Lunch',
      html: '<p>Soup</p>',
      text: 'Soup',
      headers: {},
      scheduledAt: null,
    }
    await platform.fault({ kind: 'lost', method: 'POST', path: '/emails', times: 1 })
    const files = [fileOf(Buffer.alloc(300_000, 5))]
    await expect(api.sendEmail(email, files, options('key-1'))).rejects.toMatchObject({
      problem: { code: 'unreachable' },
    })
    const id = await api.sendEmail(email, files, options('key-1'))
    expect(await api.sendEmail(email, files, options('key-1'))).toBe(id)
    expect((await sentOf(platform)).data).toMatchObject([{ id, subject: 'Lunch' }])
    await expect(api.sendEmail({ ...email, subject: 'Dinner' }, files, options('key-1'))).rejects.toMatchObject({
      status: 409,
      errorName: 'invalid_idempotent_request',
    })
  })

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

  it('reschedule and cancel scheduled messages', async () => {
    const platform = await startTestPlatform()
    const api = clientOf(platform)
    const scheduledAt = Date.now() + 3_600_000
    const id = await api.sendEmail(
      {
        from: { name: null, address: platform.inboxAddress },
        to: [{ name: null, address: 'ann@example.com' }],
        cc: [],
        bcc: [],
        subject: 'Later',
        html: null,
        text: 'Later',
        headers: { References: '<a@b.example>' },
        scheduledAt,
      },
      [],
      options('key-3'),
    )
    const { idempotencyKey: _key, ...plain } = options('')
    expect(await api.getSentEmail(id, plain)).toMatchObject({ lastEvent: 'scheduled', scheduledAt })
    await api.rescheduleEmail(id, scheduledAt + 60_000, plain)
    expect(await api.getSentEmail(id, plain)).toMatchObject({ scheduledAt: scheduledAt + 60_000 })
    await api.cancelEmail(id, plain)
    expect(await api.getSentEmail(id, plain)).toMatchObject({ lastEvent: 'canceled' })
    await expect(api.cancelEmail(id, plain)).rejects.toMatchObject({ status: 422 })
  })
})

describe('draft calls', () => {
  it('create, change, send and delete once', async () => {
    const platform = await startTestPlatform()
    const api = clientOf(platform)
    const { idempotencyKey: _key, ...plain } = options('')
    const { inboxId } = platform
    const ann = { name: 'Ann', address: 'ann@example.com' }
    const draft = { to: [ann], cc: [], bcc: [ann], subject: 'Lunch', html: '<p>Soup</p>', text: 'Soup' }
    const file = fileOf(Buffer.from('menu'))
    const id = await api.createDraft(inboxId, draft, null, [file], options('key-4'))
    expect(await api.createDraft(inboxId, draft, null, [file], options('key-4'))).toBe(id)
    await api.updateDraft(inboxId, id, draft, { ...draft, bcc: [], html: null }, null, plain)
    expect(await api.getDraft(inboxId, id, plain)).toMatchObject({
      to: ['Ann <ann@example.com>'],
      bcc: [],
      subject: 'Lunch',
      html: null,
      text: 'Soup',
      emailId: null,
      files: [{ filename: 'a.bin', size: 4 }],
    })
    await api.updateDraft(inboxId, id, { ...draft, bcc: [], html: null }, draft, [], plain)
    expect((await api.getDraft(inboxId, id, plain)).files).toEqual([])
    const emailId = await api.sendDraft(inboxId, id, options('key-5'))
    expect(await api.sendDraft(inboxId, id, options('key-5'))).toBe(emailId)
    expect(await api.getDraft(inboxId, id, plain)).toMatchObject({ emailId })
    await expect(api.sendDraft(inboxId, id, options('key-6'))).rejects.toMatchObject({ status: 409 })
    const other = await api.createDraft(inboxId, draft, null, [], options('key-7'))
    await api.deleteDraft(inboxId, other, plain)
    await expect(api.getDraft(inboxId, other, plain)).rejects.toMatchObject({ status: 404 })
  })
})
