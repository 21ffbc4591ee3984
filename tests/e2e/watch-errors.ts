import type { BrowserContext } from '@playwright/test'

const uncaught: string[] = []

/**
 * Collects every error and rejection that nothing catches in the pages of a context, their frames and their workers, pages
 * that are opened later among them.
 */
export const watchErrors = (context: BrowserContext): void => {
  context.on('weberror', (webError) => {
    const error = webError.error()
    uncaught.push(error.stack ?? `${error.name}: ${error.message}`)
  })
}

/** @returns the errors since it was last called: a worker runs one test at a time */
export const takeErrors = (): readonly string[] => uncaught.splice(0)
