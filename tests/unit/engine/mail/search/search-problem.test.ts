import { describe, expect, it } from 'vitest'
import { toRefusal, toUnreachableError } from '../../../../../src/engine/platform/platform-problem.ts'
import {
  CursorExpiredError,
  isTemporaryProblem,
  toSearchProblem,
} from '../../../../../src/engine/mail/search/search-problem.ts'
import { createFolderQuery } from '../../../../../src/shared/thread-query.ts'

const LABEL = '0a0a0a0a-1111-4222-8333-444444444444'
const query = { ...createFolderQuery('inbox-1', 'inbox'), labelIds: [LABEL] }
const about = {
  query,
  isInboxGone: false,
  inboxName: 'Support',
  labelName: (id: string) => (id === LABEL ? 'Bills' : undefined),
}
const refusal = (status: number, message: string, name = 'not_found') =>
  toRefusal(status, { statusCode: status, name, message })
const timeOut = toUnreachableError(Object.assign(new Error('slow'), { code: 'UND_ERR_HEADERS_TIMEOUT' }))

describe('search failures on the platform', () => {
  it('explain the response by the name of what is missing', () => {
    const inbox = refusal(404, 'Inbox not found.')
    expect(toSearchProblem(inbox, { ...about, isInboxGone: true })).toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('inbox Support is no longer') as string,
      details: { missing: 'inbox', name: 'Support' },
    })
    // The platform contradicts its own inbox list, so the error may be temporary.
    const contradiction = toSearchProblem(inbox, about)
    expect(contradiction).toMatchObject({ details: { missing: 'inbox', name: 'Support' } })
    expect(isTemporaryProblem(contradiction)).toBe(true)
    for (const said of [`Label ${LABEL.toUpperCase()} not found.`, 'Label not found.']) {
      expect(toSearchProblem(refusal(404, said), about)).toMatchObject({
        message: 'The platform no longer has the label “Bills”. Remove it from the search.',
        details: { missing: 'label', labelId: LABEL, name: 'Bills' },
      })
    }
    expect(
      toSearchProblem(refusal(404, `Label ${LABEL} not found.`), { ...about, labelName: () => undefined }).message,
    ).toMatch(/a label in this search/)
    expect(toSearchProblem(refusal(404, 'No route.'), about).message).toContain('“No route.”')
    expect(toSearchProblem(new CursorExpiredError(), about).details).toEqual({ missing: 'cursor' })
    expect(toSearchProblem(refusal(401, 'API key is invalid', 'validation_error'), about).code).toBe('key_rejected')
  })

  it('mention silence only if there was no response', () => {
    expect(toSearchProblem(timeOut, about).message).toMatch(/did not answer/)
    const answers = [
      refusal(404, 'Inbox not found.'),
      refusal(404, ''),
      refusal(401, ''),
      refusal(500, ''),
      new CursorExpiredError(),
    ]
    for (const thrown of answers) expect(toSearchProblem(thrown, about).message).not.toMatch(/did not answer/)
  })
})
