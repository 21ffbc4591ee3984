import type { BrowserContext } from '@playwright/test'

const uncaught: string[] = []

/** Collects uncaught errors and rejections of all pages of a context, their frames and workers, and later pages. */
export const watchErrors = (context: BrowserContext): void => {
  context.on('weberror', (webError) => {
    const error = webError.error()
    uncaught.push(error.stack ?? `${error.name}: ${error.message}`)
  })
}

/** @returns the errors since the last call: a worker runs one test at a time */
export const takeErrors = (): readonly string[] => uncaught.splice(0)
