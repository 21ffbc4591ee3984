/**
 * Lets the person choose a file. The element stands in the document until then: one that nothing holds may be collected as
 * garbage while the dialog is open, and what the person chooses is told to nobody.
 *
 * @param accept as of an `input`
 * @returns null where they choose none
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
