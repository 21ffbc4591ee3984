import { defineConfig } from 'oxlint'
import { zones } from './scripts/walls.mjs'

const noElectron = { name: 'electron', message: 'Only src/main and src/preload know Electron.' }
const clocked =
  'The engine waits by the clock that it is given (src/engine/timing/clock.ts), so that tests can step it.'

/** Schemas are shared between the files of `engine/platform`, and with no other: `walls.mjs` closes the file that they are made by. */
const noWire = {
  regex: '/api/[\\w-]+\\.ts$',
  importNamePattern: '^wire[A-Z]',
  message: 'Only src/engine/platform knows the words of the platform: it gives what is read from them.',
}

/** What is asked of every module; eslint.config.js has what is asked of components. */
export default defineConfig({
  plugins: ['typescript', 'import', 'oxc'],
  // `walls` is import-x under a name that is not taken by the rules of `import` that are built in.
  jsPlugins: ['eslint-plugin-svelte', { name: 'walls', specifier: 'eslint-plugin-import-x' }],
  options: { typeAware: true, typeCheck: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: ['out/', 'dist/', 'test-results/', 'playwright-report/', '**/*.svelte'],
  categories: { correctness: 'error' },
  rules: {
    eqeqeq: 'error',
    'no-array-constructor': 'error',
    'no-case-declarations': 'error',
    'no-console': 'error',
    'no-duplicate-imports': ['error', { allowSeparateTypeImports: true }],
    'no-empty': 'error',
    'no-empty-function': 'error',
    'no-fallthrough': 'error',
    'no-prototype-builtins': 'error',
    'no-regex-spaces': 'error',
    'no-unexpected-multiline': 'error',
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    'no-useless-assignment': 'error',
    'no-useless-constructor': 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'prefer-rest-params': 'error',
    'prefer-spread': 'error',
    'preserve-caught-error': 'error',
    'import/no-cycle': ['error', { ignoreExternal: true }],
    'import/no-self-import': 'error',
    'typescript/adjacent-overload-signatures': 'error',
    'typescript/array-type': 'error',
    'typescript/ban-ts-comment': 'error',
    'typescript/ban-tslint-comment': 'error',
    'typescript/class-literal-property-style': 'error',
    'typescript/consistent-generic-constructors': 'error',
    'typescript/consistent-indexed-object-style': 'error',
    'typescript/consistent-type-assertions': 'error',
    'typescript/consistent-type-definitions': ['error', 'interface'],
    'typescript/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
    'typescript/dot-notation': 'error',
    'typescript/no-confusing-non-null-assertion': 'error',
    'typescript/no-confusing-void-expression': [
      'error',
      { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
    ],
    'typescript/no-deprecated': 'error',
    'typescript/no-dynamic-delete': 'error',
    'typescript/no-empty-object-type': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-extraneous-class': 'error',
    'typescript/no-generated-empty-object-type': 'error',
    // An import of nothing but inline types would still load its module.
    'typescript/no-import-type-side-effects': 'error',
    'typescript/no-inferrable-types': 'error',
    'typescript/no-invalid-void-type': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/no-mixed-enums': 'error',
    'typescript/no-namespace': 'error',
    'typescript/no-non-null-asserted-nullish-coalescing': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-require-imports': 'error',
    'typescript/no-unnecessary-boolean-literal-compare': 'error',
    'typescript/no-unnecessary-condition': 'error',
    'typescript/no-unnecessary-template-expression': 'error',
    'typescript/no-unnecessary-type-arguments': 'error',
    'typescript/no-unnecessary-type-assertion': 'error',
    'typescript/no-unnecessary-type-constraint': 'error',
    'typescript/no-unnecessary-type-conversion': 'error',
    'typescript/no-unnecessary-type-parameters': 'error',
    'typescript/no-unsafe-argument': 'error',
    'typescript/no-unsafe-assignment': 'error',
    'typescript/no-unsafe-call': 'error',
    'typescript/no-unsafe-enum-assignment': 'error',
    'typescript/no-unsafe-enum-comparison': 'error',
    'typescript/no-unsafe-function-type': 'error',
    'typescript/no-unsafe-member-access': 'error',
    'typescript/no-unsafe-return': 'error',
    'typescript/non-nullable-type-assertion-style': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/prefer-find': 'error',
    'typescript/prefer-for-of': 'error',
    'typescript/prefer-function-type': 'error',
    'typescript/prefer-includes': 'error',
    'typescript/prefer-literal-enum-member': 'error',
    'typescript/prefer-nullish-coalescing': 'error',
    'typescript/prefer-optional-chain': 'error',
    'typescript/prefer-promise-reject-errors': 'error',
    'typescript/prefer-reduce-type-parameter': 'error',
    'typescript/prefer-regexp-exec': 'error',
    'typescript/prefer-return-this-type': 'error',
    'typescript/prefer-string-starts-ends-with': 'error',
    'typescript/related-getter-setter-pairs': 'error',
    'typescript/require-array-sort-compare': 'off',
    'typescript/require-await': 'error',
    'typescript/restrict-plus-operands': 'error',
    'typescript/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
    'typescript/return-await': ['error', 'error-handling-correctness-only'],
    'typescript/switch-exhaustiveness-check': 'error',
    'typescript/unified-signatures': 'error',
    'typescript/use-unknown-in-catch-callback-variable': 'error',
    'walls/no-restricted-paths': ['error', { zones }],
  },
  overrides: [
    {
      // Svelte's own: what of its rules speaks of modules.
      files: ['**/*.svelte.ts'],
      rules: {
        'typescript/no-confusing-void-expression': 'off',
        'svelte/no-inspect': 'error',
        'svelte/no-svelte-internal': 'error',
        'svelte/no-unnecessary-state-wrap': 'error',
        'svelte/prefer-svelte-reactivity': 'error',
        'svelte/prefer-writable-derived': 'error',
      },
    },
    {
      files: [
        'src/shared/**',
        'src/engine/**',
        'src/host/**',
        'src/browser/**',
        'src/cli/**',
        'src/renderer/**',
        'packages/**',
      ],
      rules: { 'no-restricted-imports': ['error', { paths: [noElectron] }] },
    },
    {
      files: ['src/engine/**'],
      excludeFiles: ['src/engine/timing/**'],
      rules: {
        'no-restricted-globals': [
          'error',
          ...['setTimeout', 'setInterval'].map((name) => ({ name, message: clocked })),
        ],
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
            patterns: [noWire],
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
      files: ['src/**', 'packages/*/src/**'],
      rules: {
        // A file that has to be longer says why at its head: `eslint-disable max-lines -- the reason`.
        'max-lines': ['error', { max: 500 }],
        'max-lines-per-function': ['error', { max: 150 }],
        // Functions are hoisted: those that call each other are declared as such.
        'no-use-before-define': ['error', { functions: false }],
      },
    },
    {
      files: ['scripts/**', 'tests/**', 'packages/*/tests/**', 'src/browser/main.ts', 'src/main/index.ts'],
      rules: { 'no-console': 'off' },
    },
    {
      // Plain JavaScript reads reports of unknown shape.
      files: ['**/*.mjs', '*.config.js'],
      rules: {
        'typescript/no-unsafe-argument': 'off',
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-call': 'off',
        'typescript/no-unsafe-member-access': 'off',
        'typescript/no-unsafe-return': 'off',
      },
    },
  ],
})
