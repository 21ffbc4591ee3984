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

/**
 * The licences shown in Settings, and the bill of materials. Lists the addon and the font too, which aren't modules of the
 * build.
 */
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
 * Waits for Inter, a local file, because Fontsource's `swap` would show another font first. Turns off contextual
 * alternates, which draw `->` as an arrow and the x of `0x20` as a multiplication sign.
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
 * the engine's thread, the local mail platform and the command line. The format is CommonJS, so that the main process's
 * first lines (sandbox, scheme) run before Electron is ready. Dependencies are bundled, so the app starts from a few
 * files; only the native addon can't be.
 */
export default defineConfig({
  main: {
    plugins: [
      withoutValidator(),
      shipped(),
      emitFiles({
        // Next to the worker that loads it.
        'hunspell.wasm': read('node_modules', 'hunspell-wasm', 'wasm', 'hunspell.wasm'),
        'tray.png': read('resources', 'icon.png'),
        ...serviceFiles(root),
      }),
    ],
    // The address of the update feed, and the key that verifies it (docs/updates.md).
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
          'files-worker': 'src/engine/files/files-worker.ts',
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
      // A sandboxed preload script is one CommonJS file that can require only Electron.
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
      // The content security policy blocks inlined scripts and fonts.
      assetsInlineLimit: 0,
      // One style sheet, linked in the page, so that the startup snapshot is styled before scripts run
      // (shared/startup-snapshot.ts).
      cssCodeSplit: false,
      rolldownOptions: { input: 'src/renderer/index.html', checks: { bundlerTimings: false } },
    },
  },
})
