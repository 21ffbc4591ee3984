import type { Attachment } from 'svelte/attachments'
import type { RowMail } from '../../kernel/screen.ts'

const rows = new WeakMap<Element, RowMail>()

/** Registers a mail row outside the displayed list, as in a contact card: keys act on it while it has the focus. */
export const registerMailRow =
  (mail: RowMail): Attachment =>
  (element) => {
    rows.set(element, mail)
    return () => void rows.delete(element)
  }

export const findFocusedMail = (): RowMail | null => {
  for (let element = document.activeElement; element !== null; element = element.parentElement) {
    const mail = rows.get(element)
    if (mail !== undefined) return mail
  }
  return null
}
