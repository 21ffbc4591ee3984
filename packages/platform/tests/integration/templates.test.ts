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
})
