import { parseArgs } from 'node:util'
import type { FaultRule } from './http/fault-rule.ts'
import { parseFaultRule } from './http/parse-fault-rule.ts'
import type { ServiceOptions } from './service.ts'
import { type Authentication, type Settings, authenticationResults, searchLimits } from './settings.ts'

/** An invalid switch. The message is a single line for the user. */
export class SwitchError extends Error {}

type Switches = Omit<ServiceOptions, 'log' | 'now' | 'apiKey'>

/** service.md explains the switches. @throws SwitchError that names the switch and its valid values */
export function parseSwitches(argv: readonly string[]): Switches {
  const { values } = parse(argv)
  const choice = <const Choice extends string>(name: keyof typeof values, choices: readonly Choice[]): Choice =>
    parseChoice(`--${name}`, String(values[name]), choices)
  const settings: Settings = {
    rateLimit: values['rate-limit'] === 'off' ? null : parseNumber('--rate-limit', values['rate-limit'], 1, 1_000_000),
    trustDate: values['trust-date'],
    authentication: parseAuthentication(values.authentication),
    indexDelay: parseNumber('--index-delay', values['index-delay'], 0, 3600) * 1000,
    searchCap: parseNumber('--search-cap', values['search-cap'], 1, 10_000),
    searchLimits: {
      words: parseNumber('--query-words', values['query-words'], 1, searchLimits.words),
      people: parseNumber('--people-values', values['people-values'], 1, searchLimits.people),
    },
    invalidKeyStatus: parseChoice('--invalid-key-status', values['invalid-key-status'], [400, 401, 403]),
    replySubject: choice('reply-subject', ['filled', 'required']),
    missingLabel: choice('missing-label', ['ok', 'not_found']),
    inboxAttachments: choice('inbox-attachments', ['on', 'off']) === 'on',
    inlineImages: choice('inline-images', ['counted', 'named', 'hidden']),
    highlights: choice('highlights', ['on', 'off']) === 'on',
    sentJoinsInbox: choice('sent-joins-inbox', ['on', 'off']) === 'on',
    oauth: choice('oauth', ['on', 'off']) === 'on',
    accessLife: parseNumber('--access-life', values['access-life'], 1, 86_400) * 1000,
    refreshGrace: parseNumber('--refresh-grace', values['refresh-grace'], 0, 3600) * 1000,
    inboxes: choice('inboxes', ['on', 'not_found', 'forbidden']),
    operations: choice('operations', ['all', 'contract']),
    retentionDays: values.retention === 'off' ? null : parseNumber('--retention', values.retention, 1, 36_500),
    anyKey: values['any-key'],
    allowedHosts: values['allowed-host'],
    page: !values['no-page'],
    faults: values.faults,
    webhookTargets: choice('webhook-targets', ['loopback', 'any']),
    webhookTimeout: parseNumber('--webhook-timeout', values['webhook-timeout'], 1, 600) * 1000,
  }
  return {
    port: parseNumber('--port', values.port, 0, 65_535),
    smtpPort: parseNumber('--smtp-port', values['smtp-port'], 0, 65_535),
    dataset: choice('dataset', ['demo', 'empty']),
    data: values.data ?? null,
    imports: values.import,
    faults: values.fault.map(parseFaultSwitch),
    generate:
      values.threads === undefined
        ? null
        : {
            threads: parseNumber('--threads', values.threads, 0, 1_000_000),
            seed: parseNumber('--seed', values.seed, 0, 2 ** 32 - 1),
          },
    settings,
  }
}

const text = <Default extends string>(standard: Default) => ({ type: 'string', default: standard }) as const
const flag = { type: 'boolean', default: false } as const

export const switches = {
  port: text('4700'),
  'smtp-port': text('4725'),
  dataset: text('demo'),
  data: { type: 'string' },
  import: { type: 'string', multiple: true, default: [] as string[] },
  threads: { type: 'string' },
  seed: text('1'),
  'trust-date': flag,
  'rate-limit': text('10'),
  authentication: text('header'),
  'index-delay': text('0'),
  'search-cap': text('10000'),
  'query-words': text(String(searchLimits.words)),
  'people-values': text(String(searchLimits.people)),
  'invalid-key-status': text('401'),
  'reply-subject': text('filled'),
  'missing-label': text('ok'),
  'inbox-attachments': text('on'),
  'inline-images': text('counted'),
  highlights: text('off'),
  'sent-joins-inbox': text('on'),
  oauth: text('on'),
  'access-life': text('900'),
  'refresh-grace': text('0'),
  inboxes: text('on'),
  operations: text('all'),
  retention: text('off'),
  'any-key': flag,
  'allowed-host': { type: 'string', multiple: true, default: [] as string[] },
  'no-page': flag,
  fault: { type: 'string', multiple: true, default: [] as string[] },
  faults: flag,
  'webhook-targets': text('loopback'),
  'webhook-timeout': text('15'),
  help: flag,
} as const

export function formatUsage(): string {
  const lines = Object.entries(switches).map(([name, { type, ...rest }]) => {
    const standard = 'default' in rest && typeof rest.default === 'string' ? ` (${rest.default})` : ''
    return `  --${name}${type === 'string' ? ` VALUE${'multiple' in rest ? ' …' : ''}` : ''}${standard}`
  })
  return `usage: linnet-service [SWITCHES]\n\nSwitches, with their defaults:\n${lines.join('\n')}\n\nThey are described in service.md.\n`
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: switches })
  } catch (error) {
    // Node's message adds advice on quoting after its first sentence; drop it.
    throw new SwitchError(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error))
  }
}

function parseFaultSwitch(line: string): FaultRule {
  try {
    return parseFaultRule(line)
  } catch (error) {
    throw new SwitchError(`--fault '${line}': ${error instanceof Error ? error.message : String(error)}`)
  }
}

function parseNumber(name: string, value: string, least: number, most: number): number {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < least || number > most) {
    throw new SwitchError(`${name} takes a whole number from ${least} to ${most}, not "${value}".`)
  }
  return number
}

function parseChoice<const Choice extends string | number>(
  name: string,
  value: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((known) => String(known) === value)
  if (choice === undefined) throw new SwitchError(`${name} takes ${choices.join(' or ')}, not "${value}".`)
  return choice
}

/** `header`, or a list such as `spf=pass,dkim=fail,dmarc=gray`; omitted methods are `unknown`. */
function parseAuthentication(value: string): Authentication | 'header' {
  if (value === 'header') return 'header'
  const given = new Map(value.split(',').map((pair) => [pair.split('=')[0] ?? '', pair.split('=')[1] ?? '']))
  const stranger = [...given.keys()].find((method) => !['spf', 'dkim', 'dmarc'].includes(method))
  if (stranger !== undefined) {
    throw new SwitchError(
      `--authentication takes header, or results such as spf=pass,dkim=fail,dmarc=gray, not "${value}".`,
    )
  }
  const result = (method: string) =>
    parseChoice(`--authentication ${method}`, given.get(method) ?? 'unknown', authenticationResults)
  return { spf: result('spf'), dkim: result('dkim'), dmarc: result('dmarc') }
}
