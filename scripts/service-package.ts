/**
 * Builds the local platform as a separate package for other projects: `npm run service:package [-- FOLDER]`. Everything
 * is bundled except the native addon, its only dependency.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import ts from 'typescript'
import { build } from 'vite'
import { root, print } from './project.mjs'
import { emitFiles, serviceFiles } from './emit-files.ts'
import { shippedPackages } from './shipped-packages.ts'
import { describeNotices } from './third-party-notices.ts'

const folder = resolve(process.argv[2] ?? join(root, 'out', 'service-package'))

interface Manifest {
  readonly version: string
  readonly license: string
  readonly dependencies: object
}

/** Node releases with Node-API 10, which the addon needs (`src/service/package-node.ts`). */
const NODE = '^22.14 || >=23.6'

/** Modules with public types, and their paths in the package. */
const TYPES: Readonly<Record<string, string>> = {
  'start-platform.ts': 'index.d.ts',
  'settings.ts': 'types/settings.d.ts',
  'http/fault-rule.ts': 'types/fault-rule.d.ts',
  'mail/message-fields.ts': 'types/message-fields.d.ts',
}

const HEAD =
  'The work of the people below is part of this package. What follows are the licences under which they give it.'

const write = (name: string, text: string): void => {
  const file = join(folder, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const read = (name: string): string => readFileSync(join(root, name), 'utf8')

const bundle = async (): Promise<void> => {
  const notices = {
    file: join(folder, 'third-party-notices.txt'),
    describe: (packages: Iterable<string>) => describeNotices(packages, HEAD),
  }
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [shippedPackages([], [notices])(), emitFiles(serviceFiles(root))],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      ssrEmitAssets: true,
      outDir: folder,
      emptyOutDir: true,
      target: 'node22.14',
      minify: false,
      chunkSizeWarningLimit: 4096,
      rolldownOptions: {
        input: { index: 'src/service/package-index.ts', cli: 'src/service/package-cli.ts' },
        external: Object.keys((JSON.parse(read('package.json')) as Manifest).dependencies),
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          banner: ({ name }) => (name === 'cli' ? '#!/usr/bin/env node' : ''),
        },
      },
    },
  })
}

/** Declarations of one module, without types imported from non-public modules. */
const declare = (source: string): string => {
  const fileName = join(root, 'src', 'service', source)
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(readFileSync(fileName, 'utf8'), {
    fileName,
    compilerOptions: { target: ts.ScriptTarget.ES2024, module: ts.ModuleKind.ESNext, strict: true },
    reportDiagnostics: true,
  })
  if (diagnostics.length > 0) {
    throw new Error(`${source}: ${ts.flattenDiagnosticMessageText(diagnostics[0]?.messageText, '\n')}`)
  }
  return Object.entries(TYPES).reduce(
    (text, [module, place]) => text.replaceAll(`'./${module}'`, `'./${place.replace('.d.ts', '.js')}'`),
    outputText,
  )
}

/** Removes links to pages that are not in the package. */
const withoutStrayLinks = (page: string): string =>
  page.replace(/\[([^\]]+)\]\((?!service\.md|platform\.md|#|https?:)[^)]+\)/g, '$1')

const describe = (): void => {
  const { version, license, dependencies } = JSON.parse(read('package.json')) as Manifest
  const manifest = {
    name: 'linnet-service',
    version,
    description:
      'A mail platform for one machine: SMTP in, the HTTP interface of Resend out. For development and tests.',
    keywords: ['email', 'smtp', 'mock', 'testing', 'resend'],
    license,
    type: 'module',
    bin: { 'linnet-service': 'cli.js' },
    types: './index.d.ts',
    exports: { '.': { types: './index.d.ts', default: './index.js' }, './package.json': './package.json' },
    engines: { node: NODE },
    dependencies,
  }
  write('package.json', `${JSON.stringify(manifest, null, 2)}\n`)
  write('README.md', withoutStrayLinks(read('docs/local-platform.md')))
  write('service.md', withoutStrayLinks(read('docs/service.md')))
  write('platform.md', withoutStrayLinks(read('docs/platform.md')))
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  for (const [source, place] of Object.entries(TYPES)) {
    const head = place === 'index.d.ts' ? '/// <reference lib="esnext.disposable" />\n' : ''
    write(place, head + declare(source))
  }
}

await bundle()
describe()
print(`The package is in ${folder}. Pack it with: npm pack ${folder}`)
