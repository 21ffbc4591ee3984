import type { NotificationConstructorOptions } from 'electron'
import type { AppLink } from '../shared/app-link.ts'
import type { ArrivedMail } from '../shared/arrived-mail.ts'
import type { AddressedEvent } from '../shared/contract.ts'
import type { ThreadChange } from '../shared/model.ts'
import { noticeOf, wantedNews, withoutMarkup } from '../shared/notice.ts'
import type { Preferences } from '../shared/preferences.ts'

/** What the system tells of a notice. */
export interface NoticeListeners {
  readonly click: () => void
  readonly close: () => void
  /** @param index of the action */
  readonly action: (index: number) => void
}

export interface ShownNotice {
  readonly close: () => void
}

/** What can be done with one thread from its notice, where the system has room for it (macOS). */
const ACTIONS: readonly { readonly text: string; readonly change: ThreadChange }[] = [
  { text: 'Archive', change: { folder: 'archive' } },
  { text: 'Mark read', change: { read: true } },
]

/** So many are held, so that they can be clicked; the desktop keeps no more either. */
const MOST_SHOWN = 20

/**
 * Tells of new mail by the desktop's notices: nothing while a window of Linnet is in focus, or where the person wants none.
 * @param show null where the system has no notices
 * @param hasMarkup whether the system may read the body of a notice as markup (Linux): what a stranger wrote is shown as it is
 * @param open follows a link in a window that is brought to the front
 */
export const createNotifier = ({
  show,
  hasMarkup,
  isFocused,
  preferences,
  open,
  bringToFront,
  change,
  now = () => new Date(),
}: {
  readonly show: ((options: NotificationConstructorOptions, listeners: NoticeListeners) => ShownNotice) | null
  readonly hasMarkup: boolean
  readonly isFocused: () => boolean
  readonly preferences: () => Preferences
  readonly open: (link: AppLink) => void
  readonly bringToFront: () => void
  readonly change: (accountId: string, inboxId: string, threadId: string, change: ThreadChange) => void
  readonly now?: () => Date
}): ((event: AddressedEvent) => void) => {
  // What nobody holds is collected, and its click is lost.
  let shown: readonly ShownNotice[] = []

  const tell = (accountId: string, mail: ArrivedMail): void => {
    if (show === null) return
    const { inboxId, threads, count } = mail
    const only = count === 1 ? threads[0] : undefined
    const actions = ACTIONS.map(({ text }) => ({ type: 'button' as const, text }))
    const words = noticeOf(mail)
    const notice: ShownNotice = show(
      { ...(hasMarkup ? withoutMarkup(words) : words), ...(only !== undefined && { actions }) },
      {
        click: () => {
          if (only === undefined) bringToFront()
          else open({ kind: 'thread', inboxId, threadId: only.threadId })
        },
        close: () => {
          shown = shown.filter((each) => each !== notice)
        },
        action: (index) => {
          const action = ACTIONS[index]
          if (only !== undefined && action !== undefined) change(accountId, inboxId, only.threadId, action.change)
        },
      },
    )
    const all = [...shown, notice]
    shown = all.slice(-MOST_SHOWN)
    for (const old of all.slice(0, -MOST_SHOWN)) old.close()
  }

  return ({ name, payload, accountId }) => {
    if (name !== 'mail.arrived' || accountId === null || isFocused()) return
    const wanted = wantedNews(preferences(), payload, now())
    if (wanted !== null) tell(accountId, wanted)
  }
}
