import { expect, it } from 'vitest'
import { resolveAssistantServer, parseCliCommand } from '../../../src/main/command-line.ts'

it('treats the first non-switch word as a command, and opens the window for links and paths', () => {
  const packaged: readonly (readonly [readonly string[], readonly string[] | null])[] = [
    [[], null],
    [['--hidden'], null],
    [['--data-dir=/home/ada/mail'], null],
    [['linnet://thread/4f0c'], null],
    [['mailto:ben@pier.example'], null],
    [['/home/ada/search'], null],
    [['search.eml'], null],
    [['-psn_0_12345'], null],
    [[''], null],
    [['mcp'], ['mcp']],
    [['--version'], ['version']],
    [
      ['search', 'from:ann', '-not', '--json'],
      ['search', 'from:ann', '-not', '--json'],
    ],
    [
      ['--ozone-platform=headless', 'mcp', '--data', '/x'],
      ['mcp', '--data', '/x'],
    ],
    [['linnet://thread/4f0c', 'search'], null],
  ]
  for (const [args, command] of packaged) {
    expect(parseCliCommand(['/opt/Linnet/linnet', ...args], true)).toEqual(command)
    expect(parseCliCommand(['electron', '--no-sandbox', '/src/linnet', ...args], false)).toEqual(command)
  }
})

it('starts the assistant server through the app if the app has standard input', () => {
  const own = { file: '/opt/Linnet/linnet', args: [] }
  expect(resolveAssistantServer('linux', own, null)).toEqual({
    command: own.file,
    args: ['--ozone-platform=headless', 'mcp'],
  })
  expect(resolveAssistantServer('darwin', own, '/mail')).toEqual({
    command: own.file,
    args: ['mcp', '--data', '/mail'],
  })
  expect(resolveAssistantServer('darwin', { file: 'electron', args: ['/src/linnet'] }, null)).toEqual({
    command: 'electron',
    args: ['/src/linnet', 'mcp'],
  })
  expect(resolveAssistantServer('win32', own, null)).toBeNull()
})
