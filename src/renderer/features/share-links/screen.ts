import type { Route } from '../../kernel/route.ts'
import type { Screen } from '../../kernel/screen.ts'
import type { Session } from '../../kernel/session.ts'
import { routeOfShared } from './describe-link.ts'
import ShareLinksView from './ShareLinksView.svelte'

export const shareLinksScreen = ({ shareLinks }: Session): Screen => ({
  View: ShareLinksView,
  get list() {
    return { rows: shareLinks.rows, cursor: shareLinks.cursor }
  },
  at: (route) => {
    if (route.view !== 'shareLinks') return null
    const opening = (id: string | null): Route => {
      const link = shareLinks.links?.find((each) => each.id === id)
      return (link === undefined ? null : routeOfShared(link)) ?? route
    }
    return { openId: null, opening, parent: null, show: () => shareLinks.show() }
  },
  mail: () => shareLinks.mail,
  hide: () => shareLinks.hide(),
  refresh: () => void shareLinks.load(),
})
