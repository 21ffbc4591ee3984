/** In Electron the host shows notices, and the page has no part in it. */
const isInBrowser = (): boolean => window.linnet === undefined && 'Notification' in window

/** Whether a browser may show notices; `granted` on the desktop, `denied` where a browser has none. */
export const noticePermission = (): NotificationPermission =>
  isInBrowser() ? Notification.permission : window.linnet === undefined ? 'denied' : 'granted'

export const canAskForNotices = (): boolean => isInBrowser()
