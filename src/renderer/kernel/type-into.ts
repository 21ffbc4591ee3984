/** Types into the field that has the focus, as a person would: its own undo takes it back. */
export const typeInto = (text: string): void => {
  for (const [index, line] of text.split('\n').entries()) {
    /* eslint-disable @typescript-eslint/no-deprecated -- nothing has come in its place */
    if (index > 0) document.execCommand('insertParagraph')
    if (line !== '') document.execCommand('insertText', false, line)
    /* eslint-enable @typescript-eslint/no-deprecated */
  }
}
