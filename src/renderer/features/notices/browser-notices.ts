import icon from '../../../../resources/icon.svg?url'
import type { ArrivedMail } from '../../../shared/arrived-mail.ts'
import { createNewMailNotice, filterNewMail } from '../../../shared/notice.ts'
import type { Preferences } from '../../../shared/preferences.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { Route } from '../../kernel/route.ts'

/** In Electron the host process shows notifications. */
const isInBrowser = (): boolean => window.linnet === undefined && 'Notification' in window

/** `granted` on the desktop, `denied` in browsers without notifications. */
export const getNoticePermission = (): NotificationPermission =>
  isInBrowser() ? Notification.permission : window.linnet === undefined ? 'denied' : 'granted'

export const canAskForNotices = (): boolean => isInBrowser()

/** Name of a lock: of several tabs, only the first to acquire it shows notifications. */
const LOCK = 'notices'

/** Shows new mail as browser notifications while the tab isn't focused. A click opens the thread in the tab. */
export const showBrowserNotices = (
  backend: Backend,
  {
    preferences,
    go,
  }: { readonly preferences: () => Preferences; readonly go: (route: Route, accountId: string) => void },
  ending: AbortSignal,
): void => {
  const notify = (mail: ArrivedMail, accountId: string): void => {
    const { title, body } = createNewMailNotice(mail)
    const { inboxId, threads, count } = mail
    const [only] = threads
    const notice = new Notification(title, { body, icon, tag: `${inboxId} ${only?.threadId ?? ''}` })
    notice.addEventListener('click', () => {
      window.focus()
      notice.close()
      const threadId = count === 1 ? (only?.threadId ?? null) : null
      go({ view: 'folder', inboxId, folder: 'inbox', threadId }, accountId)
    })
  }
  const listen = (): Promise<void> => {
    backend.until(ending).on('mail.arrived', (mail, accountId) => {
      if (accountId === null || document.hasFocus() || getNoticePermission() !== 'granted') return
      const wanted = filterNewMail(preferences(), mail, new Date())
      if (wanted !== null) notify(wanted, accountId)
    })
    return new Promise((release) => {
      ending.addEventListener('abort', () => release(), { once: true })
    })
  }
  navigator.locks.request(LOCK, { signal: ending }, listen).catch(() => undefined)
}
