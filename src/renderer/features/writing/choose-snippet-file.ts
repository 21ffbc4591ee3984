import { cleanSnippet } from './fill-snippet.ts'
import type { SnippetsManager } from './snippets-manager.svelte.ts'

/** Lets the person choose a file of signatures and canned replies, and takes it over. */
export const chooseSnippetFile = async (snippets: SnippetsManager): Promise<void> => {
  const chooser = document.createElement('input')
  chooser.type = 'file'
  chooser.accept = '.json,application/json'
  const file = await new Promise<File | null>((resolve) => {
    chooser.addEventListener('change', () => resolve(chooser.files?.[0] ?? null))
    chooser.addEventListener('cancel', () => resolve(null))
    chooser.click()
  })
  if (file !== null) await snippets.import(file, cleanSnippet)
}
