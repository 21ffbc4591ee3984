import type RichText from './RichText.svelte'

/** Loaded editor: a composer moving to another view has its caret before the next key. */
export const loaded: { richText: typeof RichText | null } = { richText: null }

export const loadRichText = async (): Promise<typeof RichText> =>
  (loaded.richText = (await import('./RichText.svelte')).default)

/** Milliseconds until startup is done. */
const STARTUP_MS = 2_000

/** Preloads the editor before the first message, without slowing startup. */
export const prepareRichText = (ending: AbortSignal): void => {
  const timer = setTimeout(() => requestIdleCallback(() => void loadRichText().catch(() => undefined)), STARTUP_MS)
  ending.addEventListener('abort', () => clearTimeout(timer))
}
