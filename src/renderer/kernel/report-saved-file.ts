import type { SavedFile } from '../../shared/contract.ts'
import type { Result } from '../../shared/result.ts'
import type { ToastManager } from './toast-manager.svelte.ts'

/** Downloads through the browser, with its usual save dialog. */
export const startDownload = (url: string): void => {
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = ''
  anchor.click()
}

/**
 * Reports the saved file's path, or why saving failed. A browser downloads the file instead.
 * @param words precede the path in the toast
 */
export const reportSavedFile = (
  toasts: Readonly<ToastManager>,
  result: Result<SavedFile>,
  words = 'Saved as',
): void => {
  if (!result.ok) toasts.problem(result.error)
  else if (result.data.kind === 'saved') toasts.show(`${words} ${result.data.path}`)
  else if (result.data.kind === 'download') startDownload(result.data.url)
}
