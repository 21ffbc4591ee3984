/** Whether the operating system checks words by itself. On Linux Chromium would fetch dictionaries from Google's server. */
export const isCheckedBySystem = (platform: NodeJS.Platform): boolean => platform === 'darwin' || platform === 'win32'
