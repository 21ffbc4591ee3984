import js from '@eslint/js'
import { defineConfig } from 'eslint/config'
import importX from 'eslint-plugin-import-x'
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import ts from 'typescript-eslint'
import { zones } from './scripts/walls.mjs'

/**
 * Type-aware rules for components take four times as long as all other rules together, because each component's script
 * changes the TypeScript program. They run only in the workflow's check and in `npm test -- --long`.
 */
const HAS_TYPED_COMPONENTS = process.env.LINNET_TEST_LONG === '1'

/** Rules for components. The rules for modules are in oxlint.config.ts. */
export default defineConfig({
  files: ['**/*.svelte'],
  extends: [
    js.configs.recommended,
    ts.configs.strictTypeChecked,
    ts.configs.stylisticTypeChecked,
    svelte.configs.recommended,
    ...(HAS_TYPED_COMPONENTS ? [] : [ts.configs.disableTypeChecked]),
  ],
  languageOptions: {
    globals: globals.browser,
    parserOptions: {
      parser: ts.parser,
      projectService: HAS_TYPED_COMPONENTS,
      tsconfigRootDir: import.meta.dirname,
      extraFileExtensions: ['.svelte'],
    },
  },
  linterOptions: { reportUnusedDisableDirectives: HAS_TYPED_COMPONENTS ? 'error' : 'off' },
  plugins: { 'import-x': importX },
  settings: {
    'import-x/resolver-next': [createTypeScriptImportResolver({ project: 'tsconfig.json' })],
    'import-x/extensions': ['.ts', '.js', '.mjs', '.svelte'],
    // By default, modules imported by components are parsed as JavaScript.
    'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.mjs', '.js'], 'svelte-eslint-parser': ['.svelte'] },
  },
  rules: {
    'import-x/no-restricted-paths': ['error', { zones }],
    'no-duplicate-imports': ['error', { allowSeparateTypeImports: true }],
    'import-x/no-self-import': 'error',
    eqeqeq: 'error',
    'no-console': 'error',
    'max-lines': ['error', { max: 500 }],
    '@typescript-eslint/no-use-before-define': ['error', { functions: false, ignoreTypeReferences: true }],
    'no-restricted-imports': [
      'error',
      { paths: [{ name: 'electron', message: 'Only src/main and src/preload know Electron.' }] },
    ],
    '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
    '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
    '@typescript-eslint/no-import-type-side-effects': 'error',
    '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    ...(HAS_TYPED_COMPONENTS && {
      // An effect subscribes to a signal by reading it, written with `void`.
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
    }),
    // Type-aware rules can't analyse markup; svelte-check does.
    '@typescript-eslint/no-unsafe-argument': 'off',
    '@typescript-eslint/no-unsafe-assignment': 'off',
    '@typescript-eslint/no-unsafe-call': 'off',
    '@typescript-eslint/no-unsafe-member-access': 'off',
    '@typescript-eslint/no-unsafe-return': 'off',
    '@typescript-eslint/no-confusing-void-expression': 'off',
    '@typescript-eslint/no-unnecessary-condition': 'off',
  },
})
