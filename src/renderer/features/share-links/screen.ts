import type { Screen } from '../../kernel/screen.ts'
import type { Session } from '../../kernel/session.ts'
import ShareLinksView from './ShareLinksView.svelte'

export const shareLinksScreen = ({ shareLinks }: Session): Screen => ({
  View: ShareLinksView,
  list: null,
  at: (route) =>
    route.view === 'shareLinks'
      ? { openId: null, opening: () => route, parent: null, show: () => shareLinks.show() }
      : null,
  hide: () => shareLinks.hide(),
  refresh: () => void shareLinks.load(),
})
