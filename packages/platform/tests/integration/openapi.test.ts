import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allEndpoints } from '../../src/endpoints/all-endpoints.ts'
import { toOperationId } from '../../src/http/openapi.ts'
import { type ServiceUnderTest, startTestService } from './service-under-test.ts'

/** All other tests of this folder validate the responses against this document. */
describe('/openapi.json', () => {
  let service: ServiceUnderTest
  beforeAll(async () => {
    service = await startTestService({ service: { dataset: 'demo' } })
  })
  afterAll(() => service.close())

  test('is OpenAPI 3.1 with a unique name per endpoint, and needs no key', async () => {
    const document = (await (await fetch(`${service.baseUrl}/openapi.json`)).json()) as {
      openapi: string
      paths: Record<string, Record<string, { operationId: string; 'x-contract': boolean }>>
    }
    expect(document.openapi).toBe('3.1.0')
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
    expect(operations).toHaveLength(allEndpoints.length)
    expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(allEndpoints.length)
    expect(
      operations
        .filter((operation) => operation['x-contract'])
        .map((operation) => operation.operationId)
        .toSorted(),
    ).toEqual(
      [
        'post-emails-email-share',
        'get-inboxes-inbox-threads-search',
        'delete-inboxes-inbox-threads-thread-labels-label',
        'get-contacts',
        'get-contacts-contact-topics',
        'get-emails-receiving-email',
      ].toSorted(),
    )
  })

  test('a body is required exactly if its absence is rejected', async () => {
    const document = (await (await fetch(`${service.baseUrl}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { requestBody?: { required: boolean } }>>
    }
    const isRequired = (path: string, method: string) => document.paths[path]?.[method]?.requestBody?.required
    expect(isRequired('/emails', 'post')).toBe(true)
    expect(isRequired('/emails/batch', 'post')).toBe(true)
    // The body is optional (platform.md 17.1).
    expect(isRequired('/emails/{email}/share', 'post')).toBe(false)
    expect(isRequired('/inboxes/{inbox}/drafts/{draft}/send', 'post')).toBe(false)
  })

  test('every GET that the demo mailbox can answer matches the document', async () => {
    const known = await knownIds()
    const asked: string[] = []
    for (const endpoint of allEndpoints.filter(({ method }) => method === 'GET')) {
      const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
      if (!names.every((name) => name in known)) continue
      const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => known[name] ?? '')
      const { status } = await service.ask('GET', path)
      // A sent and a received e-mail share a placeholder, so one of the two is not found.
      if (status === 200) asked.push(toOperationId(endpoint))
      else expect(status).toBe(404)
    }
    expect(asked.length).toBeGreaterThan(25)
  })

  const knownIds = async (): Promise<Readonly<Record<string, string>>> => {
    const first = async (path: string): Promise<string> =>
      (await service.get<{ data: { id: string }[] }>(path)).data[0]?.id ?? ''
    const thread = await first(`/inboxes/${service.inboxId}/threads`)
    const { body: segment } = await service.ask('POST', '/segments', { name: 's' })
    const { body: property } = await service.ask('POST', '/contact-properties', { key: 'k', type: 'string' })
    const { body: draft } = await service.ask('POST', `/inboxes/${service.inboxId}/drafts`, { text: 'x' })
    return {
      inbox: service.inboxId,
      thread,
      email: await first(`/inboxes/${service.inboxId}/threads/${thread}/emails`),
      contact: await first('/contacts'),
      topic: await first('/topics'),
      domain: await first('/domains'),
      segment: segment.id,
      property: property.id,
      draft: draft.id,
    }
  }
})
