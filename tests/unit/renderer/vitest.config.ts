import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

/** Runes are the Svelte compiler's: without its plugin the specs of the `*.svelte.ts` managers are skipped. */
export default defineConfig({
  root: new URL('../../..', import.meta.url).pathname,
  plugins: [svelte()],
  resolve: { conditions: ['browser'] },
  test: { dir: 'tests/unit/renderer' },
})
