import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { allEndpoints } from '../../src/endpoints/all-endpoints.ts'
import { faultRuleSchema } from '../../src/http/faults.ts'
import { switches } from '../../src/switches.ts'

const page = readFileSync(join(import.meta.dirname, '../../service.md'), 'utf8')

describe('service.md', () => {
  test('lists every option', () => {
    for (const name of Object.keys(switches)) expect(page).toContain(`--${name}`)
  })

  test('lists every endpoint with a curl line and its flags', () => {
    for (const endpoint of allEndpoints.filter(({ path }) => !path.startsWith('/audiences'))) {
      const name = `\`${endpoint.method} ${endpoint.path.replace(/:(\w+)/g, '{$1}')}\``
      const row = page.split('\n').find((line) => line.startsWith(`| ${name} `) || line.startsWith(`| **${name}** `))
      expect(row, name).toMatch(/c(?:url)? .*\$B\//)
      const marks = row?.split('|')[3]?.trim().split(' ') ?? []
      expect(marks.includes('I'), name).toBe(endpoint.idempotent)
      expect(marks.includes('S'), name).toBe(endpoint.permission === 'sending_access')
      expect(row?.includes(`**${name}**`), name).toBe(endpoint.inContract)
    }
  })

  test('lists every fault', () => {
    for (const kind of faultRuleSchema.shape.kind.options) expect(page).toContain(`\`${kind}\``)
  })
})
