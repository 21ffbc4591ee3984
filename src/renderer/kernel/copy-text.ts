import type { ToastManager } from './toast-manager.svelte.ts'

export const copyText = async (toasts: Pick<ToastManager, 'show'>, text: string, done: string): Promise<void> => {
  await navigator.clipboard.writeText(text).then(
    () => toasts.show(done),
    () => toasts.show('The text could not be copied. Select and copy it yourself.'),
  )
}
