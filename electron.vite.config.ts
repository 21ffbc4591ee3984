import { svelte } from '@sveltejs/vite-plugin-svelte'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'electron-vite'
import { describeMaterials } from './scripts/bill-of-materials.ts'
import { emitFiles, serviceFiles } from './scripts/emit-files.ts'
import { shippedPackages } from './scripts/shipped-packages.ts'
import { describeNotices } from './scripts/third-party-notices.ts'
import { withoutValidator } from './scripts/without-validator.ts'

const root = import.meta.dirname

/** The licences, which Settings shows, and the list of what ships, for programs. The addon ships beside the build, and a font is no module of it. */
const shipped = shippedPackages(
  ['better-sqlite3', '@fontsource-variable/inter'].map((name) => join(root, 'node_modules', name)),
  [
    { file: join(root, 'out', 'third-party-notices.txt'), describe: describeNotices },
    {
      file: join(root, 'out', 'bill-of-materials.cdx.json'),
      describe: (directories) => describeMaterials(root, join(root, 'node_modules', 'electron'), directories),
    },
  ],
)

const read = (...path: readonly string[]): Uint8Array => readFileSync(join(root, ...path))

/**
 * Text waits for Inter, a local file: Fontsource's `swap` would flash another font. Contextual alternates are off: they draw other
 * letters than the text has, `->` as an arrow and the x of `0x20` as a multiplication sign.
 */
const setUpFont = {
  name: 'linnet:set-up-font',
  transform: (code: string, id: string): string | null =>
    id.includes('html-proxy')
      ? code.replaceAll('font-display: swap', "font-display: block; font-feature-settings: 'calt' 0")
      : null,
}

/**
 * Everything that runs in Node is one build with an entry for each process: Electron's main process, the browser host,
 * the engine's thread, the local mail platform and the command line. It is CommonJS, so that Electron has run the main process's first
 * lines (the sandbox, the scheme) before it is ready, however it loads them. Dependencies are bundled, so that an app
 * starts from a few files; a native addon has to stay one.
 */
export default defineConfig({
  main: {
    plugins: [
      withoutValidator(),
      shipped(),
      emitFiles({
        // Next to the thread that runs it.
        'hunspell.wasm': read('node_modules', 'hunspell-wasm', 'wasm', 'hunspell.wasm'),
        'tray.png': read('resources', 'icon.png'),
        ...serviceFiles(root),
      }),
    ],
    // Where a release asks for the next one, and by which key it believes the answer (docs/updates.md).
    define: {
      UPDATE_FEED: JSON.stringify(process.env.LINNET_UPDATE_FEED ?? ''),
      UPDATE_KEY: JSON.stringify(process.env.LINNET_UPDATE_KEY ?? ''),
    },
    build: {
      outDir: 'out/main',
      externalizeDeps: false,
      rolldownOptions: {
        input: {
          index: 'src/main/index.ts',
          start: 'src/main/start.ts',
          browser: 'src/browser/main.ts',
          'engine-worker': 'src/engine/worker.ts',
          'parts-worker': 'src/engine/mail/attachments/parts-worker.ts',
          'backup-worker': 'src/engine/files/backup/backup-worker.ts',
          'spelling-worker': 'src/main/spelling/spelling-worker.ts',
          service: 'packages/platform/src/main.ts',
          linnet: 'src/cli/main.ts',
        },
        external: ['better-sqlite3'],
        output: { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'chunks/[name]-[hash].cjs' },
      },
    },
  },
  preload: {
    plugins: [shipped()],
    build: {
      outDir: 'out/preload',
      // A sandboxed preload is one CommonJS file with nothing to require but Electron.
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: 'src/preload/index.ts' },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src/renderer',
    plugins: [
      svelte({ configFile: '../../svelte.config.js' }),
      emitFiles({
        // Lets browsers install the page as an app. They fetch the icon without credentials, which `assets` allows.
        'app.webmanifest': read('resources', 'app.webmanifest'),
        'assets/web-app.svg': read('resources', 'icon.svg'),
        // Readers of two kinds of pictures in a PDF, by the names that pdf.js requests: as scripts, because the content
        // security policy allows no WebAssembly.
        ...Object.fromEntries(
          ['jbig2_nowasm_fallback.js', 'openjpeg_nowasm_fallback.js'].map((name) => [
            `assets/pdf/${name}`,
            read('node_modules', 'pdfjs-dist', 'wasm', name),
          ]),
        ),
      }),
      setUpFont,
      shipped(),
    ],
    build: {
      outDir: 'out/renderer',
      minify: true,
      // Inlined assets would be scripts and fonts that the content security policy refuses.
      assetsInlineLimit: 0,
      // One sheet, which the page names: a list that is there before the scripts (shared/still.ts) looks as it will.
      cssCodeSplit: false,
      rolldownOptions: { input: 'src/renderer/index.html', checks: { bundlerTimings: false } },
    },
  },
})
