import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generateThreads } from '../../src/datasets/generate-threads.ts'
import { parseMessage } from '../../src/mail/parse-message.ts'
import { Database } from '../../src/storage/database.ts'
import { addInbox } from '../../src/storage/inboxes.ts'
import { type ServiceUnderTest, platformOf, startTestService } from './service-under-test.ts'
import type { List, ReceivedEmail, Thread, ThreadEmail } from './wire-shapes.ts'

describe('--threads N --seed S', () => {
  let service: ServiceUnderTest
  const now = () => Date.parse('2026-11-21T00:00:00Z')
  beforeAll(async () => {
    service = await startTestService({ service: { now, generate: { threads: 300, seed: 7 } } })
  })
  afterAll(() => service.close())

  const made = (seed: number): readonly object[] => {
    const db = new Database(':memory:')
    generateThreads(
      platformOf(db, {}, now),
      addInbox(db, { emailAddress: 'a@b.example', name: null, fromName: null, forwarding: false }, 0),
      50,
      seed,
    )
    const rows = db.all<object>(
      'SELECT emails.*, text, headers FROM emails JOIN email_contents ON email_seq = seq ORDER BY seq',
    )
    db.close()
    return rows
  }

  test('the same seed creates the same mailbox, another seed a different one', () => {
    expect(made(1)).toEqual(made(1))
    expect(made(1)).not.toEqual(made(2))
  })

  test('stored fields match what a parser reads in the raw messages', async () => {
    const { data } = await service.get<List<ReceivedEmail>>('/emails/receiving?limit=60')
    expect(data.some(({ attachments }) => attachments.length > 0)).toBe(true)
    for (const { id } of data) {
      const email = await service.get<ReceivedEmail>(`/emails/receiving/${id}`)
      const message = await parseMessage(new Uint8Array(await (await fetch(email.raw.download_url)).arrayBuffer()))
      expect({
        subject: message.subject,
        text: message.text?.trim(),
        messageId: message.messageId,
        headers: message.headers,
      }).toEqual({
        subject: email.subject,
        text: email.text?.trim(),
        messageId: email.headers['message-id'],
        headers: email.headers,
      })
      expect(message.attachments.map(({ filename, size }) => [filename, size])).toEqual(
        email.attachments.map(({ filename, size }) => [filename, size]),
      )
    }
  })

  test('every folder has threads, in the requested number, and search finds some', async () => {
    const count = async (query: string): Promise<number> => {
      let [total, cursor, more] = [0, '', true]
      while (more) {
        const page: List<Thread> = await service.get(`/inboxes/${service.inboxId}/threads${query}&limit=100${cursor}`)
        total += page.data.length
        cursor = `&after=${page.data.at(-1)?.id}`
        more = page.has_more
      }
      return total
    }
    expect(await count('?folders=inbox,archive,spam,sent,trash')).toBe(300)
    for (const folder of ['inbox', 'archive', 'spam', 'sent', 'trash'])
      expect(await count(`?folders=${folder}`), folder).toBeGreaterThan(0)
    expect(await count('/search?query=invoice&folders=inbox,archive,spam,sent,trash')).toBeGreaterThan(0)
  })

  test('messages of a conversation reply to each other', async () => {
    const { data } = await service.get<List<Thread>>(`/inboxes/${service.inboxId}/threads?limit=100`)
    const thread = data.find(({ email_count: emails }) => emails > 2)
    const emails = (await service.get<List<ThreadEmail>>(`/inboxes/${service.inboxId}/threads/${thread?.id}/emails`))
      .data
    expect(emails.map(({ direction }) => direction).slice(0, 3)).toEqual(['inbound', 'outbound', 'inbound'])
    expect(emails[1]?.subject).toBe(`Re: ${emails[0]?.subject}`)
  })
})
