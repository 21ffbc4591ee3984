import type { Route } from '../../kernel/route.ts'
import type { Screen } from '../../kernel/screen.ts'
import type { Session } from '../../kernel/session.ts'
import { routeOfSharedEmail } from './describe-share-link.ts'
import ShareLinksView from './ShareLinksView.svelte'

export const createShareLinksScreen = ({ shareLinks }: Session): Screen => ({
  View: ShareLinksView,
  get list() {
    return { rows: shareLinks.rows, cursor: shareLinks.cursor }
  },
  at: (route) => {
    if (route.view !== 'shareLinks') return null
    const opening = (id: string | null): Route => {
      const link = shareLinks.links?.find((each) => each.id === id)
      return (link === undefined ? null : routeOfSharedEmail(link)) ?? route
    }
    return { openId: null, opening, parent: null, show: () => shareLinks.show() }
  },
  mail: () => shareLinks.mail,
  hide: () => shareLinks.hide(),
  refresh: () => void shareLinks.load(),
})
