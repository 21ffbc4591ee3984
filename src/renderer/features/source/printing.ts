import { MAX_CHUNK_LENGTH } from '../../../shared/model.ts'
import type { Result } from '../../../shared/result.ts'
import type { Session, Shell } from '../../kernel/session.ts'
import { formatFullDate } from '../../ui/format-date.ts'
import { formatBytes } from '../../ui/format-quantity.ts'
import { toVisibleText } from '../../../shared/visible-text.ts'
import { isEmailPicture } from '../bodies/block-images.ts'
import { isForwardSubject } from '../../../shared/history/history-terms.ts'
import { runInMailWorker } from '../bodies/mail-worker.ts'
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

type PrintShell = Pick<Shell, 'backend' | 'toasts' | 'clock'> & Pick<Session, 'pictures'>

/** Opens all folds and adds the displayed pictures: nothing can be clicked on paper. */
const forPaper = (
  markup: string,
  pictures: readonly (string | null)[],
): Pick<PrintedEmail, 'markup' | 'properties'> => {
  const paper = new DOMParser().parseFromString(markup, 'text/html')
  for (const fold of paper.querySelectorAll('details')) fold.setAttribute('open', '')
  showPictures(paper, pictures)
  return { markup: paper.body.innerHTML, properties: paper.documentElement.style.cssText }
}

/** The displayed pictures, inlined, as the document can't load any. */
const picturesOf = async (
  { of }: EmailTarget,
  addresses: readonly string[],
  { backend, pictures }: PrintShell,
): Promise<readonly (string | null)[]> => {
  const found: (string | null)[] = []
  for (const url of addresses) {
    if (!isEmailPicture(url) && !pictures.areShown(of)) {
      found.push(null)
      continue
    }
    const picture = await backend.call('picture.read', { of, url, isRetry: false })
    found.push(picture.ok ? `data:${picture.data.type};base64,${picture.data.content}` : null)
  }
  return found
}

const headOf = ({ subject, printable }: EmailTarget, { clock }: Pick<PrintShell, 'clock'>): PrintedEmail['head'] => {
  const people = (list: readonly string[]): string => list.map((person) => toVisibleText(person)).join(', ')
  const files = (printable.attachments ?? []).map(({ filename, size }) => {
    const name = toVisibleText(filename ?? 'Unnamed file')
    return size === null ? name : `${name} (${formatBytes(size)})`
  })
  const lines: PrintedEmail['head'] = [
    ['From', toVisibleText(printable.from)],
    ['To', people(printable.to)],
    ['Cc', people(printable.cc)],
    ['Date', formatFullDate(printable.at, clock.style)],
    ['Subject', toVisibleText(formatSubject(subject))],
    ['Attachments', files.join(', ')],
  ]
  return lines.filter(([, text]) => text !== '')
}

/** An unreadable e-mail is replaced by the error message. */
const printedEmail = async (email: EmailTarget, shell: PrintShell, signal: AbortSignal): Promise<PrintedEmail> => {
  const head = headOf(email, shell)
  const { printable, of, subject } = email
  const read = printable.apart === null ? null : await readBodies(shell.backend, of, printable.apart, signal)
  const asText = (words: string): PrintedEmail => ({ head, markup: null, properties: '', text: words })
  if (read?.ok === false) return asText(read.error.message)
  const { html, text } = read?.data ?? printable
  const words = text ?? ''
  if (html === null || html.trim() === '') return asText(words)
  if (isHeavyHtml(html)) {
    const found = words.trim() === '' ? await runInMailWorker('htmlToText', html) : words
    return asText(found)
  }
  const safe = sanitizeHtml(html, isForwardSubject(subject))
  if (safe.isEmpty) return asText(words)
  return { head, ...forPaper(safe.markup, await picturesOf(email, safe.pictures, shell)), text: words }
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

interface SentDocument {
  readonly job: string
  readonly pieces: number
}

/** Sends the document in pieces, because a request is limited to `MAX_CHUNK_LENGTH`. */
const sendToHost = async ({ backend }: PrintShell, html: string): Promise<Result<SentDocument>> => {
  const job = crypto.randomUUID()
  const pieces = Math.ceil(html.length / MAX_CHUNK_LENGTH)
  for (let place = 0; place < pieces; place += 1) {
    const added = await backend.call('print.add', {
      job,
      place,
      html: html.slice(place * MAX_CHUNK_LENGTH, (place + 1) * MAX_CHUNK_LENGTH),
    })
    if (!added.ok) return added
  }
  return { ok: true, data: { job, pieces } }
}

const titleOf = (emails: readonly EmailTarget[]): string => toVisibleText(formatSubject(emails.at(-1)?.subject ?? null))

/** Combines e-mails into one document, oldest first, each fitted to the page. The title is the newest subject. */
const drawEmails = async (emails: readonly EmailTarget[], shell: PrintShell): Promise<HTMLIFrameElement> => {
  const { signal } = new AbortController()
  const printed: PrintedEmail[] = []
  for (const email of emails) printed.push(await printedEmail(email, shell, signal))
  const frame = await renderOffScreen(buildPrintDocument(titleOf(emails), printed))
  if (frame.contentDocument !== null) fitPrintDocument(frame.contentDocument)
  return frame
}

/** Document for the host process, which prints it itself. */
const documentOf = async (emails: readonly EmailTarget[], shell: PrintShell): Promise<string> => {
  const frame = await drawEmails(emails, shell)
  const html = frame.contentDocument === null ? '' : serializePrintDocument(frame.contentDocument)
  frame.remove()
  return html
}

/** PDF preview in base64. Needs the host process. */
export const renderPrintPreview = async (
  emails: readonly EmailTarget[],
  shell: PrintShell,
): Promise<Result<string>> => {
  const sent = await sendToHost(shell, await documentOf(emails, shell))
  if (!sent.ok) return sent
  const result = await shell.backend.call('print.preview', sent.data)
  return result.ok ? { ok: true, data: result.data.base64 } : result
}

export const printEmails = async (
  emails: readonly EmailTarget[],
  as: 'paper' | 'pdf',
  shell: PrintShell,
): Promise<void> => {
  if (!canPrintInHost()) {
    const frame = await drawEmails(emails, shell)
    frame.contentWindow?.print()
    return
  }
  const { backend, toasts } = shell
  const sent = await sendToHost(shell, await documentOf(emails, shell))
  const result = sent.ok ? await backend.call('print.run', { ...sent.data, as, name: titleOf(emails) }) : sent
  if (!result.ok) toasts.problem(result.error)
  else if (result.data?.kind === 'saved') toasts.show(`Saved as ${result.data.path}`)
}
