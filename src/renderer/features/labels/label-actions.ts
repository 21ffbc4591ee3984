import Palette from '@lucide/svelte/icons/palette'
import Pencil from '@lucide/svelte/icons/pencil'
import Trash from '@lucide/svelte/icons/trash-2'
import type { Label } from '../../../shared/model.ts'
import type { Action } from '../../ui/action.ts'
import type { LabelsManager } from './labels-manager.svelte.ts'

export const listLabelActions = (labels: LabelsManager, inboxId: string, label: Label): readonly Action[] => [
  { name: 'Rename…', icon: Pencil, keys: 'F2', run: () => labels.edit(inboxId, label) },
  { name: 'Change colour…', icon: Palette, keys: '', run: () => labels.edit(inboxId, label, 'color') },
  { name: 'Delete…', icon: Trash, keys: 'Delete', run: () => labels.askToDelete(inboxId, label) },
]
