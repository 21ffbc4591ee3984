/** Input beyond a bound must be rejected with an understandable message. */
import { expect, it } from 'vitest'
import { z } from 'zod'
import {
  createDispatcher,
  contract,
  type CommandName,
  type CommandsForTarget,
  type Handlers,
  type CommandTarget,
} from '../../../src/shared/contract.ts'

type Schema = z.core.JSONSchema.BaseSchema
type Json = unknown

/** The smallest value that a schema accepts. */
const sample = (schema: Schema): Json => {
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const [first] = schema.anyOf ?? schema.oneOf ?? []
  if (first !== undefined) return sample(first)
  if (schema.allOf !== undefined) return Object.assign({}, ...schema.allOf.map((each) => sample(each))) as Json
  switch (schema.type) {
    case 'string':
      return schema.pattern === undefined ? 'x'.repeat(schema.minLength ?? 0) : '#12a594'
    case 'integer':
    case 'number':
      return schema.minimum ?? 0
    case 'boolean':
      return false
    case 'null':
      return null
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items as Schema))
    case 'object': {
      const required = Object.entries(schema.properties ?? {}).filter(([name]) => schema.required?.includes(name))
      return Object.fromEntries(required.map(([name, each]) => [name, sample(each as Schema)]))
    }
    case undefined:
    default:
      return {}
  }
}

interface Beyond {
  readonly where: string
  readonly input: Json
}

/** Samples that each exceed one bound, at any depth. */
const beyond = (schema: Schema, where = ''): readonly Beyond[] => {
  const options = schema.anyOf ?? schema.oneOf
  if (options !== undefined) return options.flatMap((each) => beyond(each, where))
  const too: Beyond[] = []
  const add = (what: string, input: Json): void => void too.push({ where: `${where} ${what}`, input })
  // Forty million characters would prove no more than a thousand.
  if (schema.maxLength !== undefined && schema.maxLength < 2_000_000) add('too long', 'x'.repeat(schema.maxLength + 1))
  if ((schema.minLength ?? 0) > 0) add('empty', '')
  if (schema.pattern !== undefined) add('of another form', 'x')
  if (schema.enum !== undefined) add('of another kind', 'no such thing')
  if (schema.type === 'boolean') add('of another type', 'yes')
  if (schema.type === 'integer' || schema.type === 'number') add('no number', 'many')
  if (schema.maximum !== undefined && schema.maximum < Number.MAX_SAFE_INTEGER) add('too large', schema.maximum + 1)
  if (schema.minimum !== undefined && schema.minimum > Number.MIN_SAFE_INTEGER) add('too small', schema.minimum - 1)
  if (schema.type === 'array') {
    const item = sample(schema.items as Schema)
    if (schema.maxItems !== undefined)
      add(
        'too many',
        Array.from({ length: schema.maxItems + 1 }, () => item),
      )
    if ((schema.minItems ?? 0) > 0) add('none', [])
    for (const each of beyond(schema.items as Schema, `${where}[]`)) too.push({ ...each, input: [each.input] })
  }
  if (schema.type === 'object' && schema.properties !== undefined) {
    const whole = sample(schema) as Record<string, Json>
    if (schema.additionalProperties === false) add('with more', { ...whole, another: 1 })
    for (const [name, part] of Object.entries(schema.properties)) {
      for (const each of beyond(part as Schema, `${where}.${name}`)) {
        too.push({ ...each, input: { ...whole, [name]: each.input } })
      }
    }
  }
  return too
}

const names = Object.keys(contract) as readonly CommandName[]
/** Accepts everything, so a result means the input passed. */
const doors = Object.fromEntries(
  (['host', 'engine'] as const).map((target) => {
    const handlers = Object.fromEntries(names.map((name) => [name, () => 'let in'])) as unknown
    return [target, createDispatcher(target, handlers as Handlers<CommandsForTarget<typeof target>>, () => undefined)]
  }),
) as Readonly<Record<CommandTarget, ReturnType<typeof createDispatcher>>>

/** Validator jargon. */
const OF_A_SCHEMA =
  /too (?:big|small)|expected|invalid (?:input|string|option)|unrecognized|\bstring\b|\barray\b|\bkey\b|\.\w+:/i

it.each(names)('%s explains every value beyond its bounds', async (name) => {
  const cases = beyond(z.toJSONSchema(contract[name].input, { io: 'input', unrepresentable: 'any' }))
  expect(cases.length).toBeGreaterThan(0)
  for (const { where, input } of cases) {
    const result = await doors[contract[name].target](name, input, { accountId: 'account', caller: 'test' })
    const error = result.ok ? { message: 'It was let in.' } : result.error
    expect(error, where).toMatchObject({ code: 'invalid_input', details: { why: expect.any(String) as string } })
    expect(error.message, where).toMatch(/^[A-Z][^\n]{10,160}\. Nothing was changed\.$/)
    expect(error.message.replace('The API key', ''), where).not.toMatch(OF_A_SCHEMA)
  }
})
