/** True if the operating system checks spelling. On Linux, Chromium would download dictionaries from Google. */
export const hasSystemSpellChecker = (platform: NodeJS.Platform): boolean =>
  platform === 'darwin' || platform === 'win32'
