import Pencil from '@lucide/svelte/icons/pencil'
import Plus from '@lucide/svelte/icons/plus'
import Tag from '@lucide/svelte/icons/tag'
import Trash from '@lucide/svelte/icons/trash-2'
import type { Command } from '../../kernel/commands.ts'
import { isThreadRoute } from '../../kernel/route.ts'
import { findChosenThreads, explainMissingThread } from '../threads/chosen-threads.ts'
import Palette from '@lucide/svelte/icons/palette'
import type { Label } from '../../../shared/model.ts'
import type { Action } from '../../ui/action.ts'
import type { LabelsManager } from './labels-manager.svelte.ts'

export const pickLabels: Command = {
  id: 'label.pick',
  name: 'Label…',
  words: 'tag add remove set create category',
  group: 'Actions',
  icon: Tag,
  keys: ['l'],
  when: (context) => (findChosenThreads(context)?.threads.length ?? 0) > 0,
  disabledReason: (context) => explainMissingThread(context, 'labelled'),
  run: (context) => {
    const chosen = findChosenThreads(context)
    if (chosen === null) return
    // Thread lists have already loaded their inbox's labels.
    if (!isThreadRoute(context.shell.route.current)) void context.session.mailboxes.loadLabels(chosen.inboxId)
    context.session.labelPicker.open(chosen)
  },
}

export const createLabel: Command = {
  id: 'label.create',
  name: 'New label…',
  words: 'create make add tag',
  group: 'Actions',
  icon: Plus,
  when: ({ session }) => session.inbox.id !== null,
  run: ({ session }) => {
    if (session.inbox.id !== null) session.labels.askForNew(session.inbox.id)
  },
}

/** Commands that label threads, then those that edit the listed label. */
export const LABEL_COMMANDS: readonly Command[] = [
  pickLabels,
  createLabel,
  {
    id: 'label.edit',
    name: 'Edit label…',
    words: 'rename colour color tag change name',
    group: 'Actions',
    icon: Pencil,
    when: ({ session }) => session.labels.shown !== null,
    run: ({ session }) => {
      const { shown } = session.labels
      if (shown !== null) session.labels.edit(shown.inboxId, shown.label)
    },
  },
  {
    id: 'label.delete',
    name: 'Delete label…',
    words: 'remove tag',
    isDestructive: true,
    group: 'Actions',
    icon: Trash,
    when: ({ session }) => session.labels.shown !== null,
    run: ({ session }) => {
      const { shown } = session.labels
      if (shown !== null) session.labels.askToDelete(shown.inboxId, shown.label)
    },
  },
]

export const listLabelActions = (
  labels: Pick<LabelsManager, 'edit' | 'askToDelete'>,
  inboxId: string,
  label: Label,
): readonly Action[] => [
  { name: 'Rename…', icon: Pencil, keys: 'F2', run: () => labels.edit(inboxId, label) },
  { name: 'Change colour…', icon: Palette, run: () => labels.edit(inboxId, label, 'color') },
  { name: 'Delete…', icon: Trash, keys: 'Delete', run: () => labels.askToDelete(inboxId, label) },
]
