import type RichText from './RichText.svelte'

/**
 * The editor component once it has loaded. Rendering it immediately gives a composer that moves to another view its
 * caret before the next key.
 */
export const loadedEditor: { richText: typeof RichText | null } = { richText: null }

export const loadRichText = async (): Promise<typeof RichText> =>
  (loadedEditor.richText = (await import('./RichText.svelte')).default)

/** Milliseconds after which startup counts as finished. */
const STARTUP_MS = 2_000

/** Preloads the editor before the first message, without slowing startup. */
export const preloadRichText = (ending: AbortSignal): void => {
  const timer = setTimeout(() => requestIdleCallback(() => void loadRichText().catch(() => undefined)), STARTUP_MS)
  ending.addEventListener('abort', () => clearTimeout(timer))
}
