import { chooseFile } from '../../ui/choose-file.ts'
import type { RulesManager } from './rules-manager.svelte.ts'

export const importRulesFromFile = async (rules: RulesManager): Promise<void> => {
  const file = await chooseFile('.json,application/json')
  if (file !== null) await rules.import(file)
}
