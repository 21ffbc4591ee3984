import { svelte } from '@sveltejs/vite-plugin-svelte'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'electron-vite'
import { describeMaterials } from './scripts/bill-of-materials.ts'
import { serviceFiles } from './scripts/service-files.ts'
import { shippedPackages } from './scripts/shipped-packages.ts'
import { describeNotices } from './scripts/third-party-notices.ts'
import { webApp } from './scripts/web-app.ts'
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

/** Hunspell itself lies beside the thread that runs it. */
const hunspell = {
  name: 'linnet:hunspell',
  buildStart(this: { readonly emitFile: (file: EmittedFile) => void }): void {
    const file = join(root, 'node_modules', 'hunspell-wasm', 'wasm', 'hunspell.wasm')
    this.emitFile({ type: 'asset', fileName: 'hunspell.wasm', source: readFileSync(file) })
  },
}

/** The sign in the system's tray. */
const trayIcon = {
  name: 'linnet:tray-icon',
  buildStart(this: { readonly emitFile: (file: EmittedFile) => void }): void {
    this.emitFile({ type: 'asset', fileName: 'tray.png', source: readFileSync(join(root, 'resources', 'icon.png')) })
  },
}

/** What reads two kinds of pictures in a PDF, by the names that pdf.js asks for: as scripts, where its policy lets the window run no WebAssembly. */
const pdfPictures = {
  name: 'linnet:pdf-pictures',
  buildStart(this: { readonly emitFile: (file: EmittedFile) => void }): void {
    const folder = join(root, 'node_modules', 'pdfjs-dist', 'wasm')
    for (const name of ['jbig2_nowasm_fallback.js', 'openjpeg_nowasm_fallback.js']) {
      this.emitFile({ type: 'asset', fileName: `assets/pdf/${name}`, source: readFileSync(join(folder, name)) })
    }
  },
}

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

interface EmittedFile {
  readonly type: 'asset'
  readonly fileName: string
  readonly source: Uint8Array
}

/**
 * Everything that runs in Node is one build with an entry for each process: Electron's main process, the browser host,
 * the engine's thread, the local mail platform and the command line. It is CommonJS, so that Electron has run the main process's first
 * lines (the sandbox, the scheme) before it is ready, however it loads them. Dependencies are bundled, so that an app
 * starts from a few files; a native addon has to stay one.
 */
export default defineConfig({
  main: {
    plugins: [withoutValidator(), shipped(), hunspell, trayIcon, serviceFiles(root)],
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
          'parts-worker': 'src/engine/attachments/parts-worker.ts',
          'backup-worker': 'src/engine/backup/backup-worker.ts',
          'spelling-worker': 'src/main/spelling/spelling-worker.ts',
          service: 'src/service/main.ts',
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
      webApp(join(import.meta.dirname, 'resources', 'icon.svg')),
      pdfPictures,
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
