/** Lets the person choose a file. @param accept as of an `input`. @returns null where they choose none */
export const chooseFile = (accept: string): Promise<File | null> => {
  const chooser = document.createElement('input')
  chooser.type = 'file'
  chooser.accept = accept
  return new Promise((resolve) => {
    chooser.addEventListener('change', () => resolve(chooser.files?.[0] ?? null))
    chooser.addEventListener('cancel', () => resolve(null))
    chooser.click()
  })
}
