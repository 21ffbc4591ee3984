import { expect, it } from 'vitest'
import { quoteUntrustedText } from '../../../../../src/engine/mail/assistants/quoting.ts'
import { extractReadableBody, UNSURE_MARK } from '../../../../../src/engine/mail/assistants/readable-body.ts'
import { parseMime } from '../../../../../packages/platform/src/mail/mime-parser.ts'
import { ASSISTANT_MAILS, type AssistantMail } from '../../../../support/assistant-mails.ts'

const givenOf = async ({ raw }: AssistantMail) => {
  const { subject, from, html, text, attachments } = await parseMime(Buffer.from(raw))
  const body = extractReadableBody({ html: html ?? null, text: text ?? null })
  const lines = [subject, from?.name, ...attachments.map(({ filename }) => filename)].map((line) =>
    quoteUntrustedText(line),
  )
  const sure = body.sure === 'none' ? [] : body.text.split('\n').filter((line) => !line.startsWith(UNSURE_MARK))
  return { body, words: [...lines, body.text].join('\n'), sure: [...lines, ...sure].join('\n') }
}

it.each(ASSISTANT_MAILS)('gives an assistant what the user sees: $name', async (mail) => {
  const { body, words, sure } = await givenOf(mail)
  expect(mail.hidden.filter((hidden) => sure.includes(hidden))).toEqual([])
  expect(mail.visible.filter((visible) => !words.includes(visible))).toEqual([])
  expect(body.differs).toBe(mail.differs ?? false)
  if (mail.isUnsure === true) expect(body.sure).not.toBe('all')
  expect(body.text.length).toBeLessThanOrEqual(20_000)
})

it('contains the hidden text in each HTML mail', async () => {
  for (const { name, raw, hidden } of ASSISTANT_MAILS.filter(({ name: way }) => way.startsWith('hidden by'))) {
    const { html = '' } = await parseMime(Buffer.from(raw))
    expect(
      hidden.filter((words) => !html.includes(words)),
      name,
    ).toEqual([])
  }
})
