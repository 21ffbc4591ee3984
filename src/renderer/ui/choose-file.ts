/**
 * Returns no files if none is chosen. The input is added to the document, as a detached one may be garbage-collected
 * while the dialog is open, which loses the choice. @param accept as in `<input>`
 */
export const chooseFiles = (accept: string, isMultiple: boolean): Promise<readonly File[]> => {
  const chooser = document.createElement('input')
  chooser.type = 'file'
  chooser.accept = accept
  chooser.multiple = isMultiple
  chooser.hidden = true
  document.body.append(chooser)
  return new Promise<readonly File[]>((resolve) => {
    chooser.addEventListener('change', () => resolve([...(chooser.files ?? [])]))
    chooser.addEventListener('cancel', () => resolve([]))
    chooser.click()
  }).finally(() => chooser.remove())
}

/** Returns null if no file is chosen. @param accept as in `<input>` */
export const chooseFile = async (accept: string): Promise<File | null> => (await chooseFiles(accept, false))[0] ?? null
