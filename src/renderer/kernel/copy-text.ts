import type { ToastManager } from './toast-manager.svelte.ts'

/** @param failed says what to do instead */
export const copyText = async (
  toasts: Pick<ToastManager, 'show' | 'problem'>,
  text: string,
  done: string,
  failed = 'The text could not be copied. Select and copy it yourself.',
): Promise<void> => {
  await navigator.clipboard.writeText(text).then(
    () => toasts.show(done),
    () => toasts.problem({ code: 'internal', message: failed }),
  )
}
