import { MAX_CHUNK_LENGTH } from '../../../shared/model.ts'
import type { Result } from '../../../shared/result.ts'
import type { CommandContext } from '../../kernel/commands.ts'
import { formatFullDate, type DateStyle } from '../../ui/format-date.ts'
import { formatBytes } from '../../ui/format-quantity.ts'
import { toVisibleText } from '../../../shared/visible-text.ts'
import { isEmailPicture } from '../bodies/block-images.ts'
import { isForwardSubject } from '../../../shared/history/history-terms.ts'
import { mailWorker } from '../bodies/mail-worker.ts'
import { readBodies } from '../bodies/read-bodies.ts'
import { sanitizeHtml } from '../bodies/sanitize-html.ts'
import { showPictures } from '../bodies/show-pictures.ts'
import { isHeavyHtml } from '../../../shared/mail-text/heavy-html.ts'
import { formatSubject } from '../threads/correspondent.ts'
import type { EmailTarget } from './email-target.ts'
import {
  PRINT_PAGE_WIDTH_PX,
  buildPrintDocument,
  fitPrintDocument,
  serializePrintDocument,
  type PrintedEmail,
} from './print-document.ts'

/** The frame stays until the next print: no browser reliably reports that its dialog is closed. */
const FRAME_NAME = 'Print'

type PrintContext = Pick<CommandContext, 'shell' | 'session'>

/** The displayed pictures, inlined, as the document can't load any. */
const picturesOf = async (
  { of }: EmailTarget,
  addresses: readonly string[],
  { shell: { backend }, session: { mailDisplay } }: PrintContext,
): Promise<readonly (string | null)[]> => {
  const found: (string | null)[] = []
  for (const url of addresses) {
    if (!isEmailPicture(url) && !mailDisplay.areRemotePicturesShown(of)) {
      found.push(null)
      continue
    }
    const picture = await backend.call('picture.read', { of, url, isRetry: false })
    found.push(picture.ok ? `data:${picture.data.type};base64,${picture.data.content}` : null)
  }
  return found
}

const headOf = (email: EmailTarget, style: DateStyle): PrintedEmail['head'] => {
  const people = (list: readonly string[]): string => list.map((person) => toVisibleText(person)).join(', ')
  const files = (email.attachments ?? []).map(({ filename, size }) => {
    const name = toVisibleText(filename ?? 'Unnamed file')
    return size === null ? name : `${name} (${formatBytes(size)})`
  })
  const lines: PrintedEmail['head'] = [
    ['From', toVisibleText(email.from)],
    ['To', people(email.to)],
    ['Cc', people(email.cc)],
    ['Date', formatFullDate(email.at, style)],
    ['Subject', toVisibleText(formatSubject(email.subject))],
    ['Attachments', files.join(', ')],
  ]
  return lines.filter(([, text]) => text !== '')
}

/** An unreadable e-mail is replaced by the error message. */
const bodyOf = async (email: EmailTarget, context: PrintContext): Promise<PrintedEmail['body']> => {
  const { backend } = context.shell
  const read =
    email.apart === null ? null : await readBodies(backend, email.of, email.apart, new AbortController().signal)
  if (read?.ok === false) return read.error.message
  const { html, text } = read?.data ?? email
  const words = text ?? ''
  if (html === null || html.trim() === '') return words
  if (isHeavyHtml(html)) return words.trim() === '' ? mailWorker().htmlToText(html) : words
  const safe = sanitizeHtml(html, isForwardSubject(email.subject))
  if (safe.isEmpty) return words
  const paper = new DOMParser().parseFromString(safe.markup, 'text/html')
  // Nothing can be clicked on paper.
  for (const fold of paper.querySelectorAll('details')) fold.setAttribute('open', '')
  showPictures(paper, await picturesOf(email, safe.pictures, context))
  return { markup: paper.body.innerHTML, properties: paper.documentElement.style.cssText }
}

/** Draws a document off screen at page width. */
const renderOffScreen = (html: string): Promise<HTMLIFrameElement> => {
  for (const before of document.querySelectorAll(`iframe[title="${FRAME_NAME}"]`)) before.remove()
  const frame = document.createElement('iframe')
  frame.title = FRAME_NAME
  // Unreachable for keyboards and screen readers.
  frame.inert = true
  // Never allow-scripts. `allow-modals` is for the print dialog.
  frame.setAttribute('sandbox', 'allow-same-origin allow-modals')
  frame.referrerPolicy = 'no-referrer'
  frame.style.cssText = `position: fixed; left: -9999px; top: 0; width: ${PRINT_PAGE_WIDTH_PX}px; height: 800px; border: 0`
  return new Promise((resolve) => {
    frame.addEventListener('load', () => resolve(frame), { once: true })
    frame.srcdoc = html
    document.body.append(frame)
  })
}

/** True if the host process prints and saves PDFs. Browsers do it themselves. */
export const canPrintInHost = (): boolean => window.linnet !== undefined

const titleOf = (emails: readonly EmailTarget[]): string => toVisibleText(formatSubject(emails.at(-1)?.subject ?? null))

/** Combines e-mails into one document, oldest first, each fitted to the page. The title is the newest subject. */
const drawEmails = async (emails: readonly EmailTarget[], context: PrintContext): Promise<HTMLIFrameElement> => {
  const printed: PrintedEmail[] = []
  for (const email of emails) {
    printed.push({ head: headOf(email, context.shell.clock.style), body: await bodyOf(email, context) })
  }
  const frame = await renderOffScreen(buildPrintDocument(titleOf(emails), printed))
  if (frame.contentDocument !== null) fitPrintDocument(frame.contentDocument)
  return frame
}

/** Sends the document to the host, in pieces because a request is limited to `MAX_CHUNK_LENGTH`. */
const sendToHost = async (
  emails: readonly EmailTarget[],
  context: PrintContext,
): Promise<Result<{ readonly job: string; readonly pieces: number }>> => {
  const frame = await drawEmails(emails, context)
  const html = frame.contentDocument === null ? '' : serializePrintDocument(frame.contentDocument)
  frame.remove()
  const job = crypto.randomUUID()
  const pieces = Math.ceil(html.length / MAX_CHUNK_LENGTH)
  for (let place = 0; place < pieces; place += 1) {
    const piece = html.slice(place * MAX_CHUNK_LENGTH, (place + 1) * MAX_CHUNK_LENGTH)
    const added = await context.shell.backend.call('print.add', { job, place, html: piece })
    if (!added.ok) return added
  }
  return { ok: true, data: { job, pieces } }
}

/** PDF preview in base64. Needs the host process. */
export const renderPrintPreview = async (
  emails: readonly EmailTarget[],
  context: PrintContext,
): Promise<Result<{ readonly base64: string }>> => {
  const sent = await sendToHost(emails, context)
  return sent.ok ? context.shell.backend.call('print.preview', sent.data) : sent
}

export const printEmails = async (
  emails: readonly EmailTarget[],
  as: 'paper' | 'pdf',
  context: PrintContext,
): Promise<void> => {
  if (!canPrintInHost()) {
    const frame = await drawEmails(emails, context)
    frame.contentWindow?.print()
    return
  }
  const { backend, toasts } = context.shell
  const sent = await sendToHost(emails, context)
  const result = sent.ok ? await backend.call('print.run', { ...sent.data, as, name: titleOf(emails) }) : sent
  if (!result.ok) toasts.problem(result.error)
  else if (result.data?.kind === 'saved') toasts.show(`Saved as ${result.data.path}`)
}
