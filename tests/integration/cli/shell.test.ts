import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../../src/cli/commands.ts'
import { COMMON_OPTIONS } from '../../../src/cli/command.ts'
import { formatCompletionScript, SHELLS } from '../../../src/cli/completions.ts'
import { root } from '../../support/program.ts'
import { runLinnet } from './support/run-linnet.ts'

const script = formatCompletionScript('bash', COMMANDS).join('\n')

const offered = (...words: readonly string[]): readonly string[] =>
  execFileSync(
    'bash',
    [
      '-c',
      `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _linnet; printf '%s\\n' "\${COMPREPLY[@]}"`,
      'bash',
      ...words,
    ],
    { encoding: 'utf8', cwd: root },
  )
    .split('\n')
    .filter((word) => word !== '')

describe('shell integration', () => {
  it('bash completes commands, options and existing values', () => {
    expect(offered('linnet', 'un')).toEqual(['unread', 'unstar', 'undo'])
    expect(offered('linnet', 'move', '--t')).toEqual(['--to'])
    expect(offered('linnet', 'move', '--to', '')).toEqual(['inbox', 'archive', 'spam', 'trash'])
    expect(offered('linnet', 'search', '--list', 's')).toEqual(['sent'])
    expect(offered('linnet', 'export', '--to', 'README')).toEqual(['README.md'])
    expect(offered('linnet', 'help', 'arch')).toEqual(['archive'])
    expect(offered('linnet', 'completion', '')).toEqual([...SHELLS])
    for (const { name } of COMMANDS) expect(offered('linnet', name, '--acc')).toEqual(['--account'])
  })

  it.each(SHELLS)('the %s script lists every command with its options', (shell) => {
    const text = formatCompletionScript(shell, COMMANDS).join('\n')
    for (const { name, options } of COMMANDS) {
      expect(text).toContain(name)
      for (const option of Object.keys(options)) expect(text).toMatch(new RegExp(`(?:--|-l )${option}\\b`))
    }
    // An unclosed quote would break the user's shell.
    if (shell !== 'zsh') execFileSync('bash', ['-n'], { input: text.replace(/^complete .*$/gm, (line) => line) })
  })

  it('help, manual page and documentation list every command and option', async () => {
    const help = await runLinnet(['help'])
    const manual = await runLinnet(['manual'])
    expect([help.code, manual.code]).toEqual([0, 0])
    const page = readFileSync(join(root, 'docs', 'command-line.md'), 'utf8')
    const lines = manual.out.split('\n')
    for (const line of lines) expect(line).toMatch(/^(?:\.(?:TH|SH|SS|TP|B|I)\b|[^.'])|^$/)
    for (const command of COMMANDS) {
      expect(help.out).toContain(`  ${command.name}`)
      expect(page).toContain(`\`${command.name}`)
      expect(lines.some((line) => line.startsWith(`.SS ${command.name}`))).toBe(true)
      const own = await runLinnet([command.name, '--help'])
      for (const option of Object.keys({ ...command.options, ...COMMON_OPTIONS }))
        expect(own.out).toContain(`--${option}`)
      for (const option of Object.keys(command.options))
        expect(manual.out).toContain(String.raw`\-\-` + option.replaceAll('-', String.raw`\-`))
    }
  })

  it.each([
    ['help', ''],
    ['--help', ' '],
    ['help', 'archive', ''],
    ['version', ''],
    ['--version', '"'],
    ['manual', ''],
    ['schema', '\u200b'],
    ['completion', ''],
    ['completion', 'bash', ''],
  ])('%s rejects empty and surplus arguments', async (...args) => {
    expect(await runLinnet(args)).toMatchObject({ code: 2, out: '' })
  })

  it('the schema of --json is a JSON Schema that validates output lines', async () => {
    const { out } = await runLinnet(['schema'])
    const ajv = new Ajv2020({ strict: true, formats: { 'date-time': true } })
    const isLine = ajv.compile(JSON.parse(out) as object)
    const draft = { type: 'draft', account: 'a', inbox: 'support@example.com', id: 'd' }
    expect(isLine(draft)).toBe(true)
    expect(isLine({ ...draft, added: 'later' })).toBe(true)
    expect(isLine({ ...draft, id: 3 })).toBe(false)
    expect(isLine({ ...draft, type: 'unknown' })).toBe(false)
  })
})
