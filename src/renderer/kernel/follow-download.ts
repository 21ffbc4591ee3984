/** Fetches a file from the host by the browser's own means, which asks where to put it as the person is used to. */
export const followDownload = (url: string): void => {
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = ''
  anchor.click()
}
