import Shredder from '@lucide/svelte/icons/shredder'
import type { Command, CommandContext } from '../../kernel/commands.ts'
import type { ListCursor } from '../../ui/list-cursor.svelte.ts'
import type { RowSource } from '../../ui/row-source.ts'
import type { AccountEmail } from './account-emails-manager.svelte.ts'

interface ListedHere {
  readonly list: 'received' | 'sent'
  readonly id: string
  readonly onServer: boolean
}

/** The e-mail of one of the account's own lists that is open, else the one under the cursor; null on every other screen. */
const emailAtHand = ({ shell, session }: CommandContext): ListedHere | null => {
  const { current: route } = shell.route
  if (route.view !== 'received' && route.view !== 'sent') return null
  const rowOf = <Row extends AccountEmail>(list: RowSource<Row>, cursor: ListCursor<Row>): Row | undefined =>
    route.id === null ? cursor.row(list) : list.at(list.indexOf(route.id))
  const { received, sent } = session
  const row = route.view === 'received' ? rowOf(received.list, received.cursor) : rowOf(sent.list, sent.cursor)
  return row === undefined ? null : { list: route.view, id: row.id, onServer: row.onServer }
}

/** What is only on this computer goes for good, once a person has read what that means. */
export const deleteKeptEmail: Command & { readonly icon: NonNullable<Command['icon']> } = {
  id: 'email.deleteKept',
  name: 'Delete e-mail from this computer…',
  words: 'remove for good permanently forever erase kept only here dropped',
  group: 'Actions',
  icon: Shredder,
  keys: ['D'],
  when: (context) => emailAtHand(context)?.onServer === false,
  run: (context) => {
    const email = emailAtHand(context)
    if (email === null) return
    context.session.keptDeletion.askAboutEmail(email.list, email.id, () => context.navigator.openInstead(null))
  },
}
