import { type FaultRule, faultKinds } from './fault-rule.ts'
import { faultRuleSchema } from './faults.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const options = ['times', 'skip', 'delay_ms', 'retry_after', 'message', 'field'] as const
const texts: ReadonlySet<string> = new Set(['message', 'field'])

/** `name=value`, `name="with spaces"`, or a word. */
const part = /(\w+)=(?:"([^"]*)"|(\S*))(?=\s|$)|(\S+)/g

/**
 * Parses a rule such as `error_503 GET /emails times=2` or `error_422 message="Too long."`: `KIND [METHOD] [/PATH]
 * [NAME=VALUE …]`, with the fields of the control endpoint.
 * @throws Error with a message for the user
 */
export function parseFaultRule(line: string): FaultRule {
  const rule: Record<string, string | number> = {}
  for (const [written, name, quoted, plain = '', word] of line.matchAll(part)) {
    if (quoted === undefined && plain.includes('"'))
      throw new Error(`The quotes of ${name} are not closed around its value.`)
    const [field, value] = name === undefined ? parseWord(rule, word ?? '') : optionOf(name, quoted ?? plain)
    if (field in rule) throw new Error(`${written} says ${field} a second time.`)
    rule[field] = value
  }
  if (!('kind' in rule)) throw new Error(`A fault begins with its kind: ${faultKinds.join(', ')}.`)
  const read = faultRuleSchema.safeParse(rule)
  if (read.success) return read.data
  const issue = read.error.issues[0]
  const field = String(issue?.path[0])
  throw new Error(
    field === 'kind'
      ? `There is no fault ${rule.kind}. The faults are ${faultKinds.join(', ')}.`
      : `${field}=${rule[field]}: ${issue?.message}.`,
  )
}

function parseWord(rule: Readonly<Record<string, unknown>>, word: string): readonly [string, string] {
  if (!('kind' in rule)) return ['kind', word]
  if (word.startsWith('/')) return ['path', word]
  if (methods.includes(word)) return ['method', word]
  throw new Error(`${word} is no method (${methods.join(', ')}), no path that begins with / and no NAME=VALUE.`)
}

function optionOf(name: string, value: string): readonly [string, string | number] {
  if (!options.some((option) => option === name)) throw new Error(`${name} is not one of ${options.join(', ')}.`)
  if (texts.has(name)) return [name, value]
  if (!/^\d+$/.test(value)) throw new Error(`${name} takes a whole number, not "${value}".`)
  return [name, Number(value)]
}
