import { describe, expect, it } from 'vitest'
import type { ArrivedMail, ArrivedThread } from '../../../src/shared/arrived-mail.ts'
import { createNewMailNotice, filterNewMail } from '../../../src/shared/notice.ts'
import { DEFAULT_PREFERENCES } from '../../../src/shared/preferences.ts'

const threadOf = (about: Partial<ArrivedThread> = {}): ArrivedThread => ({
  ...{ threadId: 'one', from: 'Ada Quill <ada@quay.example>', subject: 'Berth four', snippet: 'Is it free?' },
  labelNames: [],
  ...about,
})
const mailOf = (...threads: readonly ArrivedThread[]): ArrivedMail => ({
  inboxId: 'desk',
  threads,
  count: threads.length,
})

const NOON = new Date(2026, 5, 1, 12, 0)
const MIDNIGHT = new Date(2026, 5, 1, 0, 30)

describe('new mail notices', () => {
  const fog = threadOf({ threadId: 'fog', labelNames: ['Fog'] })
  const clear = threadOf({ threadId: 'clear' })

  it('cover all mail, none, or chosen inboxes and labels', () => {
    const mail = mailOf(fog, clear)
    expect(filterNewMail(DEFAULT_PREFERENCES, mail, NOON)).toBe(mail)
    expect(filterNewMail({ ...DEFAULT_PREFERENCES, notify: 'none' }, mail, NOON)).toBeNull()
    const chosen = { ...DEFAULT_PREFERENCES, notify: 'chosen' } as const
    expect(filterNewMail(chosen, mail, NOON)).toBeNull()
    expect(filterNewMail({ ...chosen, notifyInboxes: ['desk'] }, mail, NOON)).toBe(mail)
    expect(filterNewMail({ ...chosen, notifyInboxes: ['ann'] }, mail, NOON)).toBeNull()
    expect(filterNewMail({ ...chosen, notifyLabels: ['FOG'] }, mail, NOON)).toEqual(mailOf(fog))
  })

  it('are off during quiet hours, even across midnight', () => {
    const mail = mailOf(clear)
    const night = { ...DEFAULT_PREFERENCES, quietHours: { from: 22 * 60, to: 7 * 60 } }
    expect(filterNewMail(night, mail, MIDNIGHT)).toBeNull()
    expect(filterNewMail(night, mail, NOON)).toBe(mail)
    expect(filterNewMail(night, mail, new Date(2026, 5, 1, 22, 0))).toBeNull()
    expect(filterNewMail(night, mail, new Date(2026, 5, 1, 7, 0))).toBe(mail)
    const lunch = { ...DEFAULT_PREFERENCES, quietHours: { from: 12 * 60, to: 13 * 60 } }
    expect(filterNewMail(lunch, mail, NOON)).toBeNull()
    expect(filterNewMail(lunch, mail, MIDNIGHT)).toBe(mail)
  })
})

describe('notice text', () => {
  it('names the sender, subject and start', () => {
    expect(createNewMailNotice(mailOf(threadOf()))).toEqual({ title: 'Ada Quill', body: 'Berth four\nIs it free?' })
    expect(createNewMailNotice(mailOf(threadOf({ from: null, subject: null, snippet: null })))).toEqual({
      title: 'Unknown sender',
      body: '(no subject)',
    })
  })

  it('counts several threads and names the first', () => {
    const mail = { ...mailOf(threadOf(), threadOf({ subject: 'Ropes' })), count: 7 }
    expect(createNewMailNotice(mail)).toEqual({
      title: '7 threads with new mail',
      body: 'Ada Quill: Berth four\nAda Quill: Ropes\n…',
    })
  })

  it('is plain, short and never forged, whatever the e-mail says', () => {
    const hostile = threadOf({
      from: '"<security@bank.example>"@evil.example',
      subject: `<b>Click</b>\u202egnp.exe\u0000\n\n${'long '.repeat(200)}`,
      snippet: 'a\u2028b',
    })
    const { title, body } = createNewMailNotice(mailOf(hostile))
    expect(title).toMatch(/^Unclear address/)
    // eslint-disable-next-line no-control-regex -- matches control characters
    expect(`${title}${body}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202a-\u202e\u2028]/u)
    expect(body.split('\n')).toHaveLength(2)
    expect(body.length).toBeLessThan(400)
  })
})
