import { chooseFile } from '../../ui/choose-file.ts'
import { sanitizeSnippet } from './fill-snippet.ts'
import type { SnippetsManager } from './snippets-manager.svelte.ts'

export const chooseSnippetFile = async (snippets: SnippetsManager): Promise<void> => {
  const file = await chooseFile('.json,application/json')
  if (file !== null) await snippets.import(file, sanitizeSnippet)
}
