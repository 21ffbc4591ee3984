import type { Attachment } from 'svelte/attachments'
import type { RowMail } from '../../kernel/screen.ts'

const rows = new WeakMap<Element, RowMail>()

/** A row of mail beside the list that is shown, as in somebody's card: keys act on it while the focus is in it. */
export const holdsMail =
  (mail: RowMail): Attachment =>
  (element) => {
    rows.set(element, mail)
    return () => void rows.delete(element)
  }

/** The mail of such a row that has the focus; null where none has. */
export const mailInFocus = (): RowMail | null => {
  for (let element = document.activeElement; element !== null; element = element.parentElement) {
    const mail = rows.get(element)
    if (mail !== undefined) return mail
  }
  return null
}
