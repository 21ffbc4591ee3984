/**
 * Returns null if no file is chosen. The input is added to the document, as a detached one may be garbage-collected
 * while the dialog is open, which loses the choice. @param accept as in `<input>`
 */
export const chooseFile = (accept: string): Promise<File | null> => {
  const chooser = document.createElement('input')
  chooser.type = 'file'
  chooser.accept = accept
  chooser.hidden = true
  document.body.append(chooser)
  return new Promise<File | null>((resolve) => {
    chooser.addEventListener('change', () => resolve(chooser.files?.[0] ?? null))
    chooser.addEventListener('cancel', () => resolve(null))
    chooser.click()
  }).finally(() => chooser.remove())
}
