import Footprints from '@lucide/svelte/icons/footprints'
import type { Command } from '../../kernel/commands.ts'

export const showFirstSteps: Command = {
  id: 'app.firstSteps',
  name: 'First steps',
  words: 'start begin learn introduction tour welcome help keys',
  group: 'Help',
  icon: Footprints,
  run: ({ frame }) => frame.show('first steps'),
}
