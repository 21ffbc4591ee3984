import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ServiceUnderTest, startTestService } from './service-under-test.ts'
import type { List } from './wire-shapes.ts'

interface Template {
  readonly id: string
  readonly name: string
  readonly html: string
  readonly status: string
}

/** Source: the vendor's documentation, "Templates", and its API reference. */
describe('templates', () => {
  let service: ServiceUnderTest
  beforeEach(async () => {
    service = await startTestService()
  })
  afterEach(() => service.close())

  const create = async (fields: object): Promise<{ readonly status: number; readonly body: { readonly id: string } }> =>
    service.ask('POST', '/templates', { name: 'Welcome', html: '<p>Hello</p>', ...fields })

  test('lists templates newest first in pages of 20, without their content', async () => {
    for (let number = 1; number <= 21; number += 1) await create({ name: `Template ${number}` })
    const first = await service.get<List<Template>>('/templates')
    expect([first.data.length, first.has_more, first.data[0]?.name]).toEqual([20, true, 'Template 21'])
    expect(first.data[0]).not.toHaveProperty('html')
    const rest = await service.get<List<Template>>(`/templates?after=${first.data.at(-1)?.id}`)
    expect(rest.data.map(({ name }) => name)).toEqual(['Template 1'])
  })

  test.each([
    ['a variable that is not declared', { html: '<p>{{{NAME}}}</p>' }, /Variable 'NAME' is used .* not defined/],
    ['a reserved name', { variables: [{ key: 'EMAIL', type: 'string' }] }, /'EMAIL' is reserved/],
    ['a fallback of another type', { variables: [{ key: 'PRICE', type: 'number', fallback_value: 'x' }] }, /number/],
    [
      'more than 50 variables',
      { variables: Array.from({ length: 51 }, (_, index) => ({ key: `K${index}`, type: 'string' })) },
      /at most 50/,
    ],
    ['no name', { name: '' }, /name/],
  ])('rejects %s', async (_what, fields, message) => {
    const { status, body } = await create(fields)
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringMatching(message)])
    expect((await service.get<List<Template>>('/templates')).data).toEqual([])
  })

  test('finds a template by its alias, which no other template can use', async () => {
    const { body } = await create({ alias: 'welcome' })
    expect((await create({ alias: 'welcome' })).status).toBe(422)
    expect(await service.get<Template>('/templates/welcome')).toMatchObject({ id: body.id, html: '<p>Hello</p>' })
    expect((await service.ask('PATCH', '/templates/welcome', { html: '<p>Hi</p>' })).body).toEqual({
      object: 'template',
      id: body.id,
    })
    expect(await service.get<Template>('/templates/welcome')).toMatchObject({ html: '<p>Hi</p>', status: 'draft' })
  })

  describe('an e-mail by template', () => {
    const order = {
      alias: 'order',
      from: 'Shop <shop@linnet.example>',
      subject: 'Order {{{NUMBER}}}',
      reply_to: 'help@linnet.example',
      html: '<p>{{{PRODUCT}}}: {{{ PRICE }}}</p>',
      variables: [
        { key: 'NUMBER', type: 'number' },
        { key: 'PRODUCT', type: 'string', fallback_value: 'a surprise' },
        { key: 'PRICE', type: 'number', fallback_value: 25 },
      ],
    }
    const publish = async (): Promise<string> => {
      const { id } = (await create(order)).body
      await service.ask('POST', `/templates/${id}/publish`)
      return id
    }
    const send = (body: object) => service.ask('POST', '/emails', { to: 'eve@example.com', ...body })

    test('has the values of its variables, and fallbacks for the others', async () => {
      const id = await publish()
      const hook = service.webhook({ events: ['email.sent'] })
      const { status, body } = await send({ template: { id, variables: { NUMBER: 12, PRODUCT: '$& <b>' } } })
      expect(status).toBe(200)
      expect(await service.get(`/emails/${body.id}`)).toMatchObject({
        from: 'Shop <shop@linnet.example>',
        subject: 'Order 12',
        reply_to: ['help@linnet.example'],
        html: '<p>$& <b>: 25</p>',
        text: expect.stringContaining(': 25') as string,
      })
      expect((await hook.next()).data).toMatchObject({ email_id: body.id, template_id: id })
    })

    test('prefers the sender, subject and reply address of the request', async () => {
      await publish()
      const own = { from: 'desk@linnet.example', subject: 'Your order', reply_to: 'desk@linnet.example' }
      const { body } = await send({ ...own, template: { id: 'order', variables: { NUMBER: 12 } } })
      expect(await service.get(`/emails/${body.id}`)).toMatchObject({ ...own, reply_to: ['desk@linnet.example'] })
    })

    test('is sent as last published', async () => {
      const id = await publish()
      await service.ask('PATCH', `/templates/${id}`, { html: '<p>New</p>' })
      const template = { id, variables: { NUMBER: 1 } }
      const html = async (): Promise<unknown> => {
        const { body } = await send({ template })
        return (await service.get<Template>(`/emails/${body.id}`)).html
      }
      expect(await html()).toBe('<p>a surprise: 25</p>')
      await service.ask('POST', `/templates/${id}/publish`)
      expect(await html()).toBe('<p>New</p>')
    })

    test('can be part of a batch', async () => {
      await publish()
      const item = { to: 'eve@example.com', template: { id: 'order', variables: { NUMBER: 1 } } }
      const wrong = { to: 'eve@example.com', template: { id: 'order' } }
      const batch = await service.ask<{ readonly data: readonly unknown[]; readonly errors: readonly object[] }>(
        'POST',
        '/emails/batch',
        [item, wrong],
        { 'x-batch-validation': 'permissive' },
      )
      expect([batch.body.data.length, batch.body.errors]).toEqual([
        1,
        [{ index: 1, message: expect.stringContaining('NUMBER') as string }],
      ])
    })

    test.each([
      ['with html', { html: '<p>x</p>', template: { id: 'order' } }, 422, /`html` and `text` cannot be used/],
      ['with an empty text', { text: '', template: { id: 'order' } }, 422, /`html` and `text` cannot be used/],
      ['without a value', { template: { id: 'order' } }, 422, /Missing value for .* `NUMBER`/],
      [
        'with a value of another type',
        { template: { id: 'order', variables: { NUMBER: 'x' } } },
        422,
        /must be a number/,
      ],
      ['with a list as value', { template: { id: 'order', variables: { NUMBER: [1] } } }, 422, /template\.variables/],
      ['of an unknown template', { template: { id: 'nothing' } }, 404, /Template not found/],
      ['without its ID', { template: {} }, 422, /Missing `template\.id` field/],
    ])('is rejected %s', async (_, body, status, message) => {
      await publish()
      const answer = await send(body)
      expect([answer.status, answer.body.message]).toEqual([status, expect.stringMatching(message)])
      expect((await service.get<List<unknown>>('/emails')).data).toEqual([])
    })

    test('is rejected while its template is a draft', async () => {
      const { id } = (await create(order)).body
      const answer = await send({ template: { id, variables: { NUMBER: 1 } } })
      expect([answer.status, answer.body.message]).toEqual([422, 'The template is not published.'])
    })

    test('needs a sender and a subject from the template or the request', async () => {
      const { id } = (await create({})).body
      await service.ask('POST', `/templates/${id}/publish`)
      expect((await send({ subject: 'Hi', template: { id } })).body.message).toBe('Missing `from` field.')
      const from = 'desk@linnet.example'
      expect((await send({ from, template: { id } })).body.message).toBe('Missing `subject` field.')
      expect((await send({ from, subject: 'Hi', template: { id } })).status).toBe(200)
    })
  })
})
