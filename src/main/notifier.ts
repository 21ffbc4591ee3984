import type { NotificationConstructorOptions } from 'electron'
import type { WindowLink } from '../shared/app-link.ts'
import type { ArrivedMail } from '../shared/arrived-mail.ts'
import type { AddressedEvent } from '../shared/contract.ts'
import type { ThreadChange } from '../shared/model.ts'
import { createNewMailNotice, filterNewMail, withoutMarkup } from '../shared/notice.ts'
import type { Preferences } from '../shared/preferences.ts'
import { parseFutureTime } from '../shared/time-expressions.ts'

export interface NoticeListeners {
  readonly click: () => void
  readonly close: () => void
  readonly action: (index: number) => void
}

export interface ShownNotice {
  readonly close: () => void
}

/** Buttons of a single-thread notification, on systems that have them (macOS, Windows). */
const ACTIONS: readonly {
  readonly text: string
  /** Null for a reply, which the user writes in a window. */
  readonly change: ((preferences: Preferences, now: Date) => ThreadChange) | null
}[] = [
  { text: 'Archive', change: () => ({ folder: 'archive' }) },
  { text: 'Reply', change: null },
  {
    text: 'Snooze to tomorrow',
    change: ({ snoozedThere }, now) => ({
      snoozedUntil: parseFutureTime('tomorrow', now.getTime()),
      ...(snoozedThere === 'archive' && { folder: 'archive' }),
    }),
  },
]

/** Number of notifications kept clickable. The desktop keeps no more either. */
const MAX_SHOWN = 20

/**
 * Shows desktop notifications of new mail, unless a Linnet window has focus or the user turned them off.
 * @param show null if the system has no notifications
 * @param hasMarkup true if the system may parse the body as markup (Linux), so a sender's text must be escaped
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
  readonly open: (link: WindowLink) => void
  readonly bringToFront: () => void
  readonly change: (accountId: string, inboxId: string, threadId: string, change: ThreadChange) => void
  readonly now?: () => Date
}): ((event: AddressedEvent) => void) => {
  // Without a reference, notifications are garbage-collected and their clicks are lost.
  let shown: readonly ShownNotice[] = []

  const notify = (accountId: string, mail: ArrivedMail): void => {
    if (show === null) return
    const { inboxId, threads, count } = mail
    const only = count === 1 ? threads[0] : undefined
    const actions = ACTIONS.map(({ text }) => ({ type: 'button' as const, text }))
    const words = createNewMailNotice(mail)
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
          if (only === undefined || action === undefined) return
          const thread = { inboxId, threadId: only.threadId }
          if (action.change !== null) {
            change(accountId, inboxId, only.threadId, action.change(preferences(), now()))
          } else {
            open({ kind: 'thread', ...thread })
            open({ kind: 'reply', ...thread })
          }
        },
      },
    )
    const all = [...shown, notice]
    shown = all.slice(-MAX_SHOWN)
    for (const old of all.slice(0, -MAX_SHOWN)) old.close()
  }

  return ({ name, payload, accountId }) => {
    if (name !== 'mail.arrived' || accountId === null || isFocused()) return
    const wanted = filterNewMail(preferences(), payload, now())
    if (wanted !== null) notify(accountId, wanted)
  }
}
