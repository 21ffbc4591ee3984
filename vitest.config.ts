import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

/** The window's managers are compiled by Svelte, for a browser; everything else runs as Node runs it. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          include: ['tests/{unit,integration}/**/*.test.ts'],
          exclude: ['tests/unit/renderer/**'],
        },
      },
      {
        plugins: [svelte()],
        resolve: { conditions: ['browser'] },
        test: { name: 'renderer', include: ['tests/unit/renderer/**/*.test.ts'] },
      },
    ],
  },
})
