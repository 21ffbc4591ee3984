import type { RulesManager } from './rules-manager.svelte.ts'

/** Lets the person choose a file of rules, and imports it. */
export const chooseRuleFile = async (rules: RulesManager): Promise<void> => {
  const chooser = document.createElement('input')
  chooser.type = 'file'
  chooser.accept = '.json,application/json'
  const file = await new Promise<File | null>((resolve) => {
    chooser.addEventListener('change', () => resolve(chooser.files?.[0] ?? null))
    chooser.addEventListener('cancel', () => resolve(null))
    chooser.click()
  })
  if (file !== null) await rules.import(file)
}
