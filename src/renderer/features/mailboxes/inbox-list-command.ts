import type { Command, CommandContext } from '../../kernel/commands.ts'
import type { Route } from '../../kernel/route.ts'

/** Creates the command that goes to a list of the current inbox. @param about with the list's name */
export const createInboxListCommand = (
  { name, ...about }: Pick<Command, 'id' | 'name' | 'words' | 'icon' | 'keys'>,
  routeOf: (inboxId: string, context: CommandContext) => Route,
): Command => ({
  ...about,
  name: `Go to ${name.toLowerCase()}`,
  group: 'Go to',
  when: ({ session }) => session.inbox.id !== null,
  run: (context) => {
    const { id } = context.session.inbox
    if (id !== null) context.shell.route.go(routeOf(id, context))
  },
})
