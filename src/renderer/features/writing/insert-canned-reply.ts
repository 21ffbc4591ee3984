import type { CannedReply } from '../../../shared/snippets.ts'
import type { Template, TemplateSummary } from '../../../shared/templates.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { Session } from '../../kernel/session.ts'
import type { DraftEditor } from './draft-editor.svelte.ts'
import { fillVariables, findVariables, type PlaceholderValues } from '../../../shared/placeholders.ts'
import { unwrapSingleParagraph, fillSnippet, toMessageValues, type SnippetSender } from './fill-snippet.ts'

export const findInboxSender = (mailboxes: Pick<Session['mailboxes'], 'sender'>, inboxId: string): SnippetSender => {
  const { name, address } = mailboxes.sender(inboxId) ?? { name: null, address: '' }
  // An inbox without a name goes by its address (platform facts 3.1), which must not be used as a person's name.
  return { name: name === address ? null : name, address }
}

interface Inserting {
  readonly backend: Pick<Backend, 'call'>
  readonly mailboxes: Session['mailboxes']
}

const valuesFor = async ({ backend, mailboxes }: Inserting, editing: DraftEditor): Promise<PlaceholderValues> => {
  const { to: everyone, subject } = editing.fields
  const to = everyone[0] ?? null
  const found = to === null ? null : await backend.call('contact.ofAddress', { address: to.address })
  const contact = found?.ok === true ? found.data : null
  return toMessageValues(findInboxSender(mailboxes, editing.inboxId), { subject, to }, contact)
}

/**
 * Inserts a canned reply at the caret, with its placeholders filled in for the first recipient. @param before called
 * right before inserting
 */
export const insertCannedReply = async (
  inserting: Inserting,
  editing: DraftEditor,
  { html }: Pick<CannedReply, 'html'>,
  before: () => void = () => undefined,
): Promise<void> => {
  const values = await valuesFor(inserting, editing)
  before()
  editing.insert(unwrapSingleParagraph(fillSnippet(html, values)))
}

type Filled = Pick<Template, 'html' | 'subject' | 'variables'>

/** Fills a template's variables; markup in values stays text. The result is as unsafe as the template: clean it. */
export const fillTemplate = ({ html, variables }: Filled, values: PlaceholderValues): string => {
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
  const walker = page.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode() !== null) {
    const { currentNode } = walker
    currentNode.nodeValue = fill(currentNode.nodeValue ?? '')
  }
  // Includes the style sheets: they may hide text that must not be sent.
  return page.documentElement.outerHTML
}

export const fillTemplateSubject = ({ subject, variables }: Filled, values: PlaceholderValues): string =>
  fillVariables(subject ?? '', values, variables)

/** Inserts a template from the platform. A message without a subject gets the template's subject. */
export const insertTemplate = async (
  inserting: Inserting & { readonly templates: Session['templates'] },
  editing: DraftEditor,
  { id }: Pick<TemplateSummary, 'id'>,
  before: () => void = () => undefined,
): Promise<void> => {
  const [template, values] = await Promise.all([inserting.templates.get(id), valuesFor(inserting, editing)])
  if (template === null) return
  before()
  const subject = fillTemplateSubject(template, values)
  if (subject !== '' && editing.fields.subject.trim() === '') editing.set({ subject })
  editing.insert(unwrapSingleParagraph(fillTemplate(template, values)))
}
