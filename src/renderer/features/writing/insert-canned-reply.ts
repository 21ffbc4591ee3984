import LayoutTemplate from '@lucide/svelte/icons/layout-template'
import MessageSquareQuote from '@lucide/svelte/icons/message-square-quote'
import Plus from '@lucide/svelte/icons/plus'
import type { Recipient } from '../../../shared/drafts.ts'
import type { Template } from '../../../shared/templates.ts'
import type { CommandContext } from '../../kernel/commands.ts'
import type { Session, Shell } from '../../kernel/session.ts'
import type { DraftEditor } from './draft-editor.svelte.ts'
import { fillVariables, findVariables, type PlaceholderValues } from '../../../shared/placeholders.ts'
import { unwrapSingleParagraph, fillSnippet, fillText, toMessageValues } from './fill-snippet.ts'
import { toOutgoingText } from './outgoing-text.ts'
import { NEW_REPLY, type Insertable } from './snippets-manager.svelte.ts'
import { MAX_OFFERS } from './typed-offers.ts'
import { createTypedFilter } from '../../../shared/search/typed-filter.ts'
import { foldText } from '../../../shared/search/word-tokenizer.ts'

export const findInboxSender = (mailboxes: Pick<Session['mailboxes'], 'sender'>, inboxId: string): Recipient => {
  const { name, address } = mailboxes.sender(inboxId) ?? { name: null, address: '' }
  // An inbox without a name goes by its address (platform.md 6.2), which must not be used as a person's name.
  return { name: name === address ? null : name, address }
}

/** Fills a template's variables; markup in values stays text. The result is as unsafe as the template: clean it. */
export const fillTemplate = (
  { html, variables }: Pick<Template, 'html' | 'variables'>,
  values: PlaceholderValues,
): string => {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const { body } = page
  const fill = (text: string): string => fillVariables(text, values, variables)
  // A value at the start may be a complete URL; anywhere else, it is encoded as a URL component.
  const fillAddress = (address: string): string =>
    fillVariables(address.trim(), values, variables, (value, at) => (at === 0 ? value : encodeURIComponent(value)))
  for (const link of [...body.querySelectorAll('a[href*="{{{"]')]) {
    const address = fillAddress(link.getAttribute('href') ?? '')
    const missing = findVariables(address)
    if (missing.length === 0) link.setAttribute('href', address)
    // A link with missing values becomes text that shows what is missing.
    else link.replaceWith(...link.childNodes, ` ${missing.join(' ')}`)
  }
  for (const picture of body.querySelectorAll('img[alt*="{{{"]')) {
    picture.setAttribute('alt', fill(picture.getAttribute('alt') ?? ''))
  }
  fillText(body, fill)
  // Includes the style sheets: they may hide text that must not be sent.
  return page.documentElement.outerHTML
}

/**
 * Inserts at the caret, filled in for the first recipient. A message without a subject gets the template's subject.
 * @param before called right before inserting
 */
export const insertSnippet = async (
  { backend, toasts }: Pick<Shell, 'backend' | 'toasts'>,
  mailboxes: Session['mailboxes'],
  editing: DraftEditor,
  chosen: Insertable,
  before: () => void = () => undefined,
): Promise<void> => {
  const { fields, inboxId } = editing
  const to = fields.to[0] ?? null
  const found = to === null ? null : await backend.call('contact.ofAddress', { address: to.address })
  const contact = found?.ok === true ? found.data : null
  const values = toMessageValues(findInboxSender(mailboxes, inboxId), { subject: fields.subject, to }, contact)
  let html: string
  let subject = ''
  if (chosen.kind === 'reply') html = fillSnippet(chosen.html, values)
  else {
    const template = await backend.call('template.get', { id: chosen.id })
    if (!template.ok) return void toasts.problem(template.error)
    html = fillTemplate(template.data, values)
    subject = fillVariables(template.data.subject ?? '', values, template.data.variables)
  }
  before()
  if (subject !== '' && editing.fields.subject.trim() === '') editing.set({ subject })
  editing.insert(unwrapSingleParagraph(html))
}

/** Replies and templates whose names contain all typed words; names that start with the text come first. */
export const findCannedReplies = <Reply extends { readonly name: string }>(
  replies: readonly Reply[],
  typed: string,
): readonly Reply[] => {
  const matches = createTypedFilter(typed)
  const rank = ({ name }: Reply): number => (foldText(name).startsWith(foldText(typed)) ? 0 : 1)
  return replies
    .filter(({ name }) => matches(foldText(name)))
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MAX_OFFERS)
}

const MAX_DETAIL = 80

/** A canned reply or template as an option of a list. */
export const describeInsertable = (each: Insertable) =>
  each.kind === 'template'
    ? { icon: LayoutTemplate, name: each.name, detail: `Template · ${each.subject ?? ''}` }
    : { icon: MessageSquareQuote, name: each.name, detail: toOutgoingText(each.html).slice(0, MAX_DETAIL) }

/** Opens the picker of canned replies and templates. */
export const pickCannedReply = (
  { shell, session: { mailboxes, picker, snippets } }: Pick<CommandContext, 'shell' | 'session'>,
  editing: DraftEditor,
): void => {
  snippets.refreshTemplates()
  picker.open({
    title: 'Insert canned reply',
    icon: MessageSquareQuote,
    label: 'Find a canned reply or template',
    listLabel: 'Canned replies',
    find: (typed) => ({
      options: [
        ...findCannedReplies(snippets.insertables, typed).map((each) => ({
          ...describeInsertable(each),
          choose: () => void insertSnippet(shell, mailboxes, editing, each),
        })),
        { name: 'New canned reply', icon: Plus, choose: () => snippets.ask(NEW_REPLY) },
      ],
      nothing: '',
    }),
    about: 'In the text, type ; and its name.',
  })
}
