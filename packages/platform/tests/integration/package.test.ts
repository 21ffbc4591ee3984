/** The platform as a separate package: packed, installed into an empty folder without a network, and used there. */
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultSettings } from '../../src/settings.ts'
import type { StartupAnnouncement } from '../../src/service.ts'
import { root, startProgram } from '../../../../tests/support/program.ts'

const version = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }).version
const modules = join(root, 'node_modules')

/** @throws with the output if the program fails */
const run = (command: string, args: readonly string[], cwd: string): string => {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 120_000 })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${status} ${String(error)}\n${stdout}\n${stderr}`)
  return stdout
}
/** The first Node in PATH outside the project: the machine's own, if any. */
const systemNode = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.startsWith(modules))
  .map((folder) => join(folder, process.platform === 'win32' ? 'node.exe' : 'node'))
  .find((node) => existsSync(node))
const versionOf = (node: string): { readonly napi: string; readonly node: string } =>
  JSON.parse(run(node, ['--print', 'JSON.stringify(process.versions)'], root)) as ReturnType<typeof versionOf>
/** The addon needs Node-API 10. */
const isOld = (node: string): boolean => Number(versionOf(node).napi) < 10
const nodes = [process.execPath, ...(systemNode === undefined || isOld(systemNode) ? [] : [systemNode])]

const npm = (args: readonly string[], cwd: string): string =>
  run('npm', [...args, '--offline', '--no-audit', '--no-fund', '--cache', join(cwd, '.npm')], cwd)

/** The page's first code block that contains this text. */
const exampleIn = (page: string, says: string): string =>
  [...page.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = '']) => code).find((code) => code.includes(says)) ?? ''

describe('the package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-package-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const consumer = join(folder, 'consumer')
  const installed = join(consumer, 'node_modules', 'linnet-service')
  const write = (name: string, text: string): string => {
    writeFileSync(join(consumer, name), text)
    return join(consumer, name)
  }

  beforeAll(() => {
    const built = join(folder, 'built')
    mkdirSync(consumer)
    run(process.execPath, [join(root, 'packages/platform/build.ts'), built], root)
    npm(['pack', built, '--pack-destination', consumer], consumer)
    const here = (name: string): string => `file:${join(modules, name)}`
    // Installs dependencies from local folders instead of the registry.
    const dependencies = {
      'better-sqlite3': here('better-sqlite3'),
      'node-addon-api': here('node-addon-api'),
      'linnet-service': `file:./linnet-service-${version}.tgz`,
    }
    write('package.json', JSON.stringify({ private: true, type: 'module', dependencies }))
    npm(['install'], consumer)
    for (const name of ['resend', 'nodemailer', 'typescript']) {
      symlinkSync(join(modules, name), join(consumer, 'node_modules', name), 'junction')
    }
  })

  test('contains what it needs and names no local folder', () => {
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((name) =>
      statSync(join(installed, name)).isFile(),
    )
    expect(files.map((name) => name.replace(/-[\w-]{8}\.js$/, '.js').replace(/^demo\/.*/, 'demo/')).toSorted()).toEqual(
      expect.arrayContaining(
        ['LICENSE', 'README.md', 'cli.js', 'demo/', 'index.d.ts', 'index.js', 'package.json'].concat(
          ['platform.md', 'service.md'],
          ['page.css', 'page.html', 'page.js'].map((name) => `service-page/${name}`),
          ['third-party-notices.txt', 'types/fault-rule.d.ts', 'types/message-fields.d.ts', 'types/settings.d.ts'],
        ),
      ),
    )
    expect(files.filter((name) => readFileSync(join(installed, name), 'utf8').includes(root))).toEqual([])
    expect(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))).toMatchObject({
      ...{ name: 'linnet-service', version, license: 'MIT', engines: { node: '^22.14 || >=23.6' } },
      dependencies: { 'better-sqlite3': expect.any(String) as string },
    })
    const notices = readFileSync(join(installed, 'third-party-notices.txt'), 'utf8')
    for (const name of ['hono', 'smtp-server', 'nodemailer', 'zod', 'postal-mime', 'iconv-lite']) {
      expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'))
    }
    const links = ['README.md', 'service.md', 'platform.md'].flatMap((page) =>
      [...readFileSync(join(installed, page), 'utf8').matchAll(/\]\(([^)#]*)[^)]*\)/g)].map(
        ([, target = '']) => target,
      ),
    )
    expect(links.filter((target) => !/^(?:(?:\.\/)?(?:README|service|platform)\.md|https?:.*)?$/.test(target))).toEqual(
      [],
    )
  })

  test('starts by its name, serves its page and the demo, and stops on a signal', async () => {
    const bin = join(consumer, 'node_modules', '.bin', 'linnet-service')
    expect(run(bin, ['--help'], consumer)).toContain('--no-page')
    const program = await startProgram(relative(root, bin), [
      '--port',
      '0',
      '--smtp-port',
      '0',
      '--fault',
      'error_503 GET /emails',
    ])
    const { base_url: base, api_key: key, inbox_address } = JSON.parse(program.firstLine) as StartupAnnouncement
    expect(inbox_address).toBe('support@larkspur.example')
    const headers = { authorization: `Bearer ${key}`, 'user-agent': 'tests' }
    expect((await fetch(`${base}/emails`, { headers })).status).toBe(503)
    expect((await fetch(`${base}/inboxes`, { headers })).status).toBe(200)
    const page = await fetch(base, { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('/_page/messages')
    expect(await program.stop()).toBe(0)
  })

  test.each(nodes)('runs the example of its page: %s', (node) => {
    const page = readFileSync(join(root, 'packages/platform/README.md'), 'utf8')
    const file = write('example.test.mjs', exampleIn(page, 'node:test'))
    expect(run(node, ['--test', file], consumer)).toMatch(/^(?:#|ℹ) pass 3$/m)
    // The page's SMTP example.
    const smtp = exampleIn(page, 'nodemailer').replace('4725', 'platform.smtpPort')
    const script = write(
      'smtp.mjs',
      `import { startPlatform } from 'linnet-service'
const platform = await startPlatform({ dataset: 'empty' })
${smtp}
const headers = { authorization: 'Bearer ' + platform.apiKey, 'user-agent': 'tests' }
const { data } = await (await fetch(platform.baseUrl + '/emails/receiving', { headers })).json()
console.log(data.map(({ subject }) => subject))
await platform.close()`,
    )
    expect(run(node, [script], consumer)).toBe("[ 'Hello' ]\n")
  })

  test('names the required Node version on an older one, before loading the addon', () => {
    // Simulates an older Node, in case this machine has none.
    const pretend = `data:text/javascript,${encodeURIComponent(
      "Object.defineProperty(process.versions, 'napi', { value: '9' })",
    )}`
    const commands = [
      { command: [process.execPath, '--import', pretend], node: process.versions.node },
      ...(systemNode === undefined || !isOld(systemNode)
        ? []
        : [{ command: [systemNode], node: versionOf(systemNode).node }]),
    ]
    const library = write('library.mjs', "await (await import('linnet-service')).startPlatform()")
    for (const { command, node } of commands) {
      const [program = '', ...args] = command
      const sentence = `linnet-service needs Node 22.14 or later (of Node 23, 23.6); this is Node ${node}.`
      const run = (file: string) => spawnSync(program, [...args, file], { cwd: consumer, encoding: 'utf8' })
      expect(run(join(installed, 'cli.js'))).toMatchObject({ status: 1, stdout: '', stderr: `${sentence}\n` })
      const embedded = run(library)
      expect(embedded.status).toBe(1)
      expect(embedded.stderr).toContain(`Error: ${sentence}\n`)
    }
  })

  test('has types that work in strict mode and catch mistakes', () => {
    const compile = (code: string): string => {
      const file = write('consumer.ts', `import { startPlatform } from 'linnet-service'\n${code}`)
      const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022', '--lib', 'es2022']
      const modes = ['--module', 'nodenext']
      const { stdout } = spawnSync(
        process.execPath,
        [join(modules, 'typescript/bin/tsc'), '--ignoreConfig', ...options, ...modes, file],
        { cwd: consumer, encoding: 'utf8' },
      )
      return stdout
    }
    expect(
      compile(`import type { FaultRule, MailPlatform, MessageFields, PlatformOptions, Settings } from 'linnet-service'
const rules: readonly FaultRule[] = [{ kind: 'error_503', path: '/emails', times: 2 }]
const settings: Partial<Settings> = { ${Object.keys(defaultSettings)
        .map((name) => `${name}: undefined as unknown as Settings['${name}']`)
        .join(', ')} }
const options: PlatformOptions = { faults: [...rules, 'html'], settings, data: null }
const fields: MessageFields = { subject: 'x', attachments: [{ filename: 'a', content: new Uint8Array(1) }] }
export async function use(): Promise<string> {
  await using platform: MailPlatform = await startPlatform(options)
  const [email] = await platform.deliver(fields)
  await platform.deliver('Subject: x', { to: [platform.inboxAddress] })
  const met: number = platform.faults(rules)[0]?.met ?? 0
  platform.advance(met)
  platform.reset()
  return email?.threadId ?? platform.baseUrl
}`),
    ).toBe('')
    expect(compile(`await startPlatform({ faults: [{ kind: 'earthquake' }] })`)).toContain('\'"earthquake"\'')
    expect(compile(`await startPlatform({ settings: { rate: 1 } })`)).toContain("'rate' does not exist")
    expect(compile(`void (await startPlatform()).smtpPort.length`)).toContain(
      "'length' does not exist on type 'number'",
    )
  })
})
