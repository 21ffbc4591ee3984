/**
 * Builds the local platform as a separate package for other projects: `npm run service:package [-- FOLDER]`. Everything
 * is bundled except the native addon, its only dependency.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import ts from 'typescript'
import { build } from 'vite'
import { root, print } from '../../scripts/project.mjs'
import { emitFiles, serviceFiles } from '../../scripts/emit-files.ts'
import { shippedPackages } from '../../scripts/shipped-packages.ts'
import { describeNotices } from '../../scripts/third-party-notices.ts'

const folder = resolve(process.argv[2] ?? join(root, 'out', 'service-package'))

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8')
/** The package's own manifest. What it bundles and runs only from source isn't part of the published one. */
const {
  private: _private,
  scripts: _scripts,
  devDependencies: _bundled,
  ...manifest
} = JSON.parse(read('package.json')) as { readonly dependencies: object; readonly [field: string]: unknown }

/** Modules with public types, and their paths in the package. */
const TYPES: Readonly<Record<string, string>> = {
  'start-platform.ts': 'index.d.ts',
  'settings.ts': 'types/settings.d.ts',
  'http/fault-rule.ts': 'types/fault-rule.d.ts',
  'mail/message-fields.ts': 'types/message-fields.d.ts',
  'webhooks/webhook-types.ts': 'types/webhook-types.d.ts',
}

const HEAD = 'This package contains the following software, under these licences.'

const write = (name: string, text: string): void => {
  const file = join(folder, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

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
        input: { index: 'packages/platform/src/package-index.ts', cli: 'packages/platform/src/package-cli.ts' },
        external: Object.keys(manifest.dependencies),
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
  const fileName = join(import.meta.dirname, 'src', source)
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

/** Points links at the package's pages, and removes those to pages that are not in it. */
const withPackageLinks = (page: string): string =>
  page
    .replace(/\]\([^)#:]*\/(service|platform)\.md/g, '](./$1.md')
    .replace(/\[([^\]]+)\]\((?!\.\/|README\.md|service\.md|#|https?:)[^)]+\)/g, '$1')

const describe = (): void => {
  const published = {
    ...manifest,
    bin: { 'linnet-service': 'cli.js' },
    types: './index.d.ts',
    exports: { '.': { types: './index.d.ts', default: './index.js' }, './package.json': './package.json' },
  }
  write('package.json', `${JSON.stringify(published, null, 2)}\n`)
  write('README.md', withPackageLinks(read('README.md')))
  write('service.md', withPackageLinks(read('service.md')))
  write('platform.md', withPackageLinks(read('../../docs/platform.md')))
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  for (const [source, place] of Object.entries(TYPES)) {
    const head = place === 'index.d.ts' ? '/// <reference lib="esnext.disposable" />\n' : ''
    write(place, head + declare(source))
  }
}

await bundle()
describe()
print(`The package is in ${folder}. Pack it with: npm pack ${folder}`)
