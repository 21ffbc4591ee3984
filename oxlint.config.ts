import { defineConfig } from 'oxlint'
import { zones } from './scripts/walls.mjs'

const noElectron = { name: 'electron', message: 'Only src/main and src/preload know Electron.' }
const clocked = 'The engine uses the clock that it is given (src/engine/timing/clock.ts), which tests control.'

/** Only `engine/platform` may import response schemas. `walls.mjs` does the same for the file that builds them. */
const noWire = {
  regex: '^(?:\\.\\./)+platform/[\\w/-]+\\.ts$',
  importNamePattern: '^wire[A-Z]',
  message: 'Only src/engine/platform reads the payloads of the platform. Import the model instead.',
}

/** Rules for modules. The rules for components are in eslint.config.js. */
export default defineConfig({
  plugins: ['typescript', 'import', 'oxc'],
  // import-x is named `walls`, because `import` is the name of a built-in plugin.
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
    // Otherwise an import of only inline types loads its module.
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
      // The Svelte rules that apply to modules.
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
        // For longer files, state the reason at the top: `eslint-disable max-lines -- the reason`.
        'max-lines': ['error', { max: 500 }],
        'max-lines-per-function': ['error', { max: 150 }],
        // Functions are hoisted, so they may call functions declared later.
        'no-use-before-define': ['error', { functions: false }],
      },
    },
    {
      files: ['scripts/**', 'tests/**', 'packages/*/tests/**', 'src/browser/main.ts', 'src/main/index.ts'],
      rules: { 'no-console': 'off' },
    },
    {
      // Plain JavaScript reads reports without types.
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
