import Tag from '@lucide/svelte/icons/tag'
import type { Command } from '../../kernel/commands.ts'
import { chosenThreads } from '../threads/chosen-threads.ts'

export const pickLabels: Command = {
  id: 'label.pick',
  name: 'Label…',
  words: 'tag add remove set create category',
  group: 'Actions',
  icon: Tag,
  keys: ['l'],
  when: (context) => (chosenThreads(context)?.threads.length ?? 0) > 0,
  run: (context) => {
    const chosen = chosenThreads(context)
    if (chosen !== null) context.session.labelPicker.open(chosen.threads, chosen)
  },
}

export const LABEL_COMMANDS: readonly Command[] = [pickLabels]
