/**
 * Returns null if none is chosen. The input stays in the document: otherwise it may be garbage-collected while the
 * dialog is open, and the choice is lost. @param accept as of an `input`
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
