import js from '@eslint/js'
import importX from 'eslint-plugin-import-x'
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import ts from 'typescript-eslint'

/**
 * The walls of the house: which room may import which. A room that is not named in `from` is closed.
 * `engine/worker.ts` is started by the hosts as a thread, never imported.
 */
const rooms = ['shared', 'engine', 'host', 'main', 'preload', 'browser', 'cli', 'renderer', 'service']
const doors = {
  shared: [],
  engine: ['shared'],
  host: ['shared'],
  main: ['shared', 'host'],
  preload: ['shared'],
  browser: ['shared', 'host'],
  cli: ['shared', 'host', 'engine'],
  renderer: ['shared'],
  service: [],
}
const walls = Object.entries(doors).map(([room, open]) => ({
  target: `./src/${room}`,
  from: rooms.filter((other) => other !== room && !open.includes(other)).map((other) => `./src/${other}`),
  message: `src/${room} may import ${open.length > 0 ? open.map((other) => `src/${other}`).join(', ') : 'no other room'}.`,
}))

/** The command line goes into the engine by its doors alone. */
const engineEntries = {
  target: './src/cli',
  from: './src/engine',
  except: ['./account-exporter.ts', './account-held.ts', './account-reader.ts', './engine.ts'],
  message: 'src/cli takes of the engine what is made for those outside of it.',
}

/**
 * Inside the engine: what fetches, keeps and sends mail knows nothing of the domains that answer the contract's commands,
 * and no domain knows another, save that lists of threads are answered by search where they are more than a folder, and
 * that what a saved search finds is counted by it. `timing` is open to all of them.
 */
const engineBase = ['timing', 'api', 'search-index', 'store', 'contents', 'sync', 'outbox', 'problems', 'originals']
const engineDomains = [
  'account-emails',
  'attachments',
  'backup',
  'bodies',
  'contacts',
  'export',
  'inboxes',
  'keeping',
  'kept-searches',
  'labels',
  'people',
  'pictures',
  'search',
  'senders',
  'settings',
  'share-links',
  'threads',
  'threads-across',
]
const engineDoors = {
  timing: [],
  api: [],
  problems: ['store'],
  'search-index': [],
  store: ['api', 'search-index'],
  contents: ['store'],
  sync: ['api', 'store', 'problems'],
  originals: ['api', 'store', 'contents', 'sync'],
  outbox: ['api', 'store', 'sync', 'problems'],
  ...Object.fromEntries(engineDomains.map((domain) => [domain, engineBase])),
  threads: [...engineBase, 'search'],
  'threads-across': [...engineBase, 'search', 'threads'],
  'kept-searches': [...engineBase, 'search'],
  // What is kept before it is asked for lies where it is looked for.
  keeping: [...engineBase, 'attachments'],
  export: [...engineBase, 'search'],
  // Pictures that an e-mail carries are attachments of it, and a choice for a sender holds where the e-mail is theirs.
  pictures: [...engineBase, 'attachments', 'senders'],
}
const engineWalls = Object.entries(engineDoors).map(([room, open]) => ({
  target: `./src/engine/${room}`,
  from: [...engineBase, ...engineDomains]
    .filter((other) => other !== room && other !== 'timing' && !open.includes(other))
    .map((other) => `./src/engine/${other}`),
  message: `src/engine/${room} may import ${['timing', ...open].map((other) => `src/engine/${other}`).join(', ')}.`,
}))

/** Inside the renderer: the frame puts features together, features stand on the kernel and the primitives, which know no feature. */
const rendererDoors = {
  features: ['kernel', 'ui'],
  ui: [],
  kernel: ['ui'],
}
const rendererRooms = ['app', 'features', 'kernel', 'ui']
const rendererWalls = Object.entries(rendererDoors).map(([room, open]) => ({
  target: `./src/renderer/${room}`,
  from: rendererRooms
    .filter((other) => other !== room && !open.includes(other))
    .map((other) => `./src/renderer/${other}`),
  message: `src/renderer/${room} may import ${open.length > 0 ? open.map((other) => `src/renderer/${other}`).join(', ') : 'no other room of the renderer'}.`,
}))

/** What the platform sends ends where it is read: above `engine/api` only the model is spoken. */
const border = {
  target: ['./src/engine/!(api)/**', './src/engine/*.ts', './src/!(engine)/**', './tests/**'],
  from: './src/engine/api/wire.ts',
  message: 'Only src/engine/api knows the words of the platform: it gives what is read from them.',
}

/**
 * A component's script changes the program of all files while it is linted, so that type-aware rules take four times as long on
 * components as all other rules together. They run in the workflow's check and in `npm test -- --long`.
 */
const HAS_TYPED_COMPONENTS = process.env.LINNET_TEST_LONG === '1'
const untypedComponents = {
  files: ['**/*.svelte'],
  extends: [ts.configs.disableTypeChecked],
  languageOptions: { parserOptions: { projectService: false } },
  linterOptions: { reportUnusedDisableDirectives: 'off' },
}

const noElectron = { name: 'electron', message: 'Only src/main and src/preload know Electron.' }
const clocked =
  'The engine waits by the clock that it is given (src/engine/timing/clock.ts), so that tests can step it.'

export default ts.config(
  { ignores: ['out/', 'dist/', 'node_modules/', 'test-results/', 'playwright-report/'] },
  js.configs.recommended,
  ts.configs.strictTypeChecked,
  ts.configs.stylisticTypeChecked,
  svelte.configs.recommended,
  {
    languageOptions: {
      // `parser` is for the scripts inside of components, which import-x reads from any file.
      parserOptions: {
        parser: ts.parser,
        projectService: true,
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: ['.svelte'],
      },
    },
    plugins: { 'import-x': importX },
    settings: {
      'import-x/resolver-next': [createTypeScriptImportResolver({ project: 'tsconfig.json' })],
      'import-x/extensions': ['.ts', '.js', '.mjs', '.svelte'],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.mjs', '.js'], 'svelte-eslint-parser': ['.svelte'] },
    },
    rules: {
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      'import-x/no-restricted-paths': [
        'error',
        { zones: [...walls, engineEntries, ...engineWalls, border, ...rendererWalls] },
      ],
      'no-duplicate-imports': ['error', { allowSeparateTypeImports: true }],
      'import-x/no-self-import': 'error',
      eqeqeq: 'error',
      'no-console': 'error',
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      // An import of nothing but inline types would still load its module.
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { globals: globals.browser },
    rules: {
      // The type-aware rules cannot see through a component's markup; svelte-check covers it.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-unnecessary-condition': 'off',
    },
  },
  {
    files: [
      'src/shared/**',
      'src/engine/**',
      'src/host/**',
      'src/browser/**',
      'src/cli/**',
      'src/service/**',
      'src/renderer/**',
    ],
    rules: {
      'no-restricted-imports': ['error', { paths: [noElectron] }],
    },
  },
  {
    files: ['src/engine/**'],
    ignores: ['src/engine/timing/**'],
    rules: {
      'no-restricted-globals': ['error', ...['setTimeout', 'setInterval'].map((name) => ({ name, message: clocked }))],
      'no-restricted-properties': ['error', { object: 'Date', property: 'now', message: clocked }],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            noElectron,
            ...['node:timers', 'node:timers/promises'].map((name) => ({
              name,
              importNames: ['setTimeout', 'setInterval'],
              message: clocked,
            })),
          ],
        },
      ],
    },
  },
  {
    files: ['src/shared/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ group: ['node:*', 'electron'], message: 'src/shared is pure: no Node, no DOM.' }] },
      ],
    },
  },
  {
    files: ['scripts/**', 'tests/**', 'src/service/main.ts', 'src/browser/main.ts', 'src/main/index.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/*.mjs', '*.config.js'],
    extends: [ts.configs.disableTypeChecked],
    languageOptions: { globals: globals.node },
  },
  ...(HAS_TYPED_COMPONENTS ? [] : [untypedComponents]),
)
