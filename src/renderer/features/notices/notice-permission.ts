/** In Electron the host process shows notifications. */
const isInBrowser = (): boolean => window.linnet === undefined && 'Notification' in window

/** `granted` on the desktop, `denied` in browsers without notifications. */
export const getNoticePermission = (): NotificationPermission =>
  isInBrowser() ? Notification.permission : window.linnet === undefined ? 'denied' : 'granted'

export const canAskForNotices = (): boolean => isInBrowser()
