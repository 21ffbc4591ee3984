/** Downloads through the browser, with its usual save dialog. */
export const startDownload = (url: string): void => {
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = ''
  anchor.click()
}
