import AtSign from '@lucide/svelte/icons/at-sign'
import type { Editor } from '@tiptap/core'
import { collectAssignees, isOwnAssignee } from '../../../shared/assignees.ts'
import type { Recipient } from '../../../shared/drafts.ts'
import { addressKey, dedupeRecipients, isAddress } from '../../../shared/recipients.ts'
import { createTypedFilter } from '../../../shared/search/typed-filter.ts'
import { foldText } from '../../../shared/search/word-tokenizer.ts'
import { toVisibleText } from '../../../shared/visible-text.ts'
import type { Session, Shell } from '../../kernel/session.ts'
import type { CaretField } from './caret-field.ts'
import { RECIPIENT_FIELDS, RECIPIENT_LABELS, type DraftEditor } from './draft-editor.svelte.ts'
import type { findEmoji as FindEmoji } from './emoji.ts'
import { menuTools, type FormatTool } from './format-tools.ts'
import { describeInsertable, findCannedReplies, insertSnippet } from './insert-canned-reply.ts'
import type { Insertable } from './snippets-manager.svelte.ts'
import { MAX_OFFERS, type Offer, type OfferKind, type OfferList } from './typed-offers.ts'

interface Parts {
  readonly shell: Pick<Shell, 'backend' | 'toasts'>
  readonly session: Pick<Session, 'assignees' | 'mailboxes' | 'snippets'>
  readonly editing: DraftEditor
  readonly caret: CaretField
  /** Null for plain text. */
  readonly editor: Editor | null
  /** Announces to screen readers. */
  readonly say: (sentence: string) => void
}

/** Loaded with the first `:`. */
let findEmoji: typeof FindEmoji | null = null

export const createOfferLists = (parts: Parts): Readonly<Record<OfferKind, OfferList>> => {
  const { shell, session, editing, caret, editor, say } = parts

  const toReply = (each: Insertable): Offer => ({
    ...describeInsertable(each),
    choose: (takeTyped) => void insertSnippet(shell, session.mailboxes, editing, each, takeTyped),
  })

  const toTool = ({ name, icon, heading = '', run }: FormatTool): Offer => ({
    ...{ name, icon, heading },
    choose: (takeTyped) => {
      takeTyped()
      editor?.commands.deleteSelection()
      if (editor !== null) run(editor)
    },
  })

  const findInMenu = (typed: string): readonly Offer[] => {
    const matches = createTypedFilter(typed)
    const tools = editor === null ? [] : menuTools(editor)
    return [
      ...tools.filter(({ name, heading = '' }) => matches(foldText(`${name} ${heading}`))).map(toTool),
      ...session.snippets.insertables
        .filter(({ name, kind }) => matches(foldText(`${name} ${kind === 'reply' ? 'canned reply' : 'template'}`)))
        .map((each) => ({ ...toReply(each), heading: 'Canned replies' })),
    ].slice(0, MAX_OFFERS)
  }

  const findEmojiOffers = (find: typeof FindEmoji, typed: string): readonly Offer[] =>
    find(typed).map(({ emoji, name, description }) => ({
      ...{ emoji, name, detail: description },
      choose: (takeTyped) => {
        takeTyped()
        caret.insertText(emoji)
      },
    }))

  /** The person also becomes a recipient, in Cc of an answer. */
  const mention = ({ name, address }: Recipient): void => {
    const shown = toVisibleText(name ?? address)
    caret.insertText(`@${shown} `)
    const isSame = (each: Recipient): boolean => addressKey(each.address) === addressKey(address)
    if (RECIPIENT_FIELDS.some((each) => editing.fields[each].some(isSame))) return
    const field = editing.target === null || editing.kind === 'forward' ? 'to' : 'cc'
    editing.addRecipients(field, [{ name, address }])
    say(`${shown} added to ${RECIPIENT_LABELS[field]}.`)
  }

  /** Colleagues first. */
  const findPeople = async (typed: string): Promise<readonly Offer[]> => {
    const { inboxId } = editing
    const colleagues = collectAssignees(session.assignees.searchLabels(inboxId)).map(({ name }) => name)
    const isColleague = ({ name, address }: Recipient): boolean =>
      colleagues.some((each) => isOwnAssignee(address, each) || isOwnAssignee(name ?? address, each))
    const answer = await shell.backend.call('person.suggest', { inboxId, typed, limit: 8 })
    const inDashboard = colleagues
      .filter((each) => isAddress(each) && each.toLowerCase().includes(typed.toLowerCase()))
      .map((address) => ({ name: null, address }))
    const own = session.mailboxes.sender(inboxId)?.address ?? ''
    return dedupeRecipients([...(answer.ok ? answer.data : []), ...inDashboard], [own])
      .toSorted((a, b) => Number(isColleague(b)) - Number(isColleague(a)))
      .map(({ name, address }) => ({
        ...{ icon: AtSign, name: toVisibleText(name ?? address), detail: name === null ? '' : toVisibleText(address) },
        choose: (takeTyped) => {
          takeTyped()
          mention({ name, address })
        },
      }))
  }

  return {
    reply: {
      label: 'Canned replies',
      find: (typed) => findCannedReplies(session.snippets.insertables, typed).map(toReply),
    },
    menu: { label: 'Insert', find: findInMenu },
    emoji: {
      label: 'Emoji',
      find: (typed) =>
        findEmoji === null
          ? import('./emoji.ts').then((loaded) => findEmojiOffers((findEmoji = loaded.findEmoji), typed))
          : findEmojiOffers(findEmoji, typed),
    },
    person: { label: 'People', find: findPeople },
  }
}
