/** Makes tables wider than the mail scroll separately, also by keyboard, so that other text keeps its line width. */
export const makeWideTablesScrollable = (mail: HTMLElement): void => {
  const width = mail.clientWidth
  const wide = [...mail.querySelectorAll('table')].filter((table) => table.offsetWidth > width)
  // A table around a wide one is only wide because of it.
  const around = new Set<Element>()
  for (const table of wide) {
    const outer = table.parentElement?.closest('table') ?? null
    if (outer !== null) around.add(outer)
  }
  for (const table of wide) {
    if (around.has(table) || table.parentElement?.className === 'linnet-wide') continue
    const scroller = mail.ownerDocument.createElement('div')
    scroller.className = 'linnet-wide'
    scroller.tabIndex = 0
    scroller.setAttribute('role', 'group')
    scroller.setAttribute('aria-label', 'Wide table, scrolls sideways')
    table.replaceWith(scroller)
    scroller.append(table)
  }
}
