import type RichText from './RichText.svelte'

/** The editor, once it is loaded: a composer that is drawn elsewhere then has its caret before the next key. */
export const loaded: { richText: typeof RichText | null } = { richText: null }

export const loadRichText = async (): Promise<typeof RichText> =>
  (loaded.richText = (await import('./RichText.svelte')).default)

/** Milliseconds after which a start is over, and the window has time. */
const LATER = 2_000

/** Has the editor here before the first message is begun, without a part in the start. */
export const prepareRichText = (ending: AbortSignal): void => {
  const timer = setTimeout(() => requestIdleCallback(() => void loadRichText().catch(() => undefined)), LATER)
  ending.addEventListener('abort', () => clearTimeout(timer))
}
