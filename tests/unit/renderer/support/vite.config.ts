import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

/** The fixture page on loopback, for work on the screens without a host. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [svelte({ configFile: '../../../../svelte.config.js' })],
  server: { host: '127.0.0.1', port: 4173, fs: { allow: ['../../../..'] } },
})
