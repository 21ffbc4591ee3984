import { Extension, Node, type Extensions } from '@tiptap/core'
import type { EditorState } from '@tiptap/pm/state'
import { CellSelection, deleteTable, tableEditing } from '@tiptap/pm/tables'

/** What a table of the person's own is sent with: lines around its cells, also in programs that know no style. */
const LINES = { border: '1', cellpadding: '4', cellspacing: '0' }

const MOST_COVERED = 200

const covered = (name: 'colspan' | 'rowspan') => ({
  default: 1,
  parseHTML: (cell: HTMLElement): number => {
    const count = Number(cell.getAttribute(name))
    return Number.isInteger(count) && count > 1 ? Math.min(count, MOST_COVERED) : 1
  },
  renderHTML: (attributes: Readonly<Record<string, unknown>>) =>
    attributes[name] === 1 ? {} : { [name]: attributes[name] },
})

const cellOf = (name: string, tag: 'td' | 'th') =>
  Node.create({
    name,
    content: 'block+',
    isolating: true,
    addAttributes: () => ({
      colspan: covered('colspan'),
      rowspan: covered('rowspan'),
      // The widths of columns, which a message does not have.
      colwidth: { default: null, rendered: false, parseHTML: () => null },
    }),
    parseHTML: () => [{ tag }],
    renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes, 0],
    extendNodeSchema: (extension) =>
      extension.name === name ? { tableRole: tag === 'td' ? 'cell' : 'header_cell' } : {},
  })

/** Whether all cells are chosen: emptied alone, the table would stay. */
const isWholeTable = ({ selection }: EditorState): boolean => {
  if (!(selection instanceof CellSelection)) return false
  return selection.isColSelection() && selection.isRowSelection()
}

/** Tables as they are pasted from a spreadsheet or a page. Tab leaves the words, as everywhere in them. */
export const TABLES: Extensions = [
  Node.create({
    name: 'table',
    content: 'tableRow+',
    group: 'block',
    isolating: true,
    parseHTML: () => [{ tag: 'table' }],
    renderHTML: () => ['table', LINES, ['tbody', 0]],
    extendNodeSchema: ({ name }) => (name === 'table' ? { tableRole: 'table' } : {}),
    addProseMirrorPlugins: () => [tableEditing()],
  }),
  Node.create({
    name: 'tableRow',
    content: '(tableCell | tableHeader)*',
    parseHTML: () => [{ tag: 'tr' }],
    renderHTML: () => ['tr', 0],
    extendNodeSchema: ({ name }) => (name === 'tableRow' ? { tableRole: 'row' } : {}),
  }),
  cellOf('tableCell', 'td'),
  cellOf('tableHeader', 'th'),
  Extension.create({
    name: 'tableKeys',
    addKeyboardShortcuts() {
      const remove = (): boolean => {
        const { state, view } = this.editor
        return isWholeTable(state) && deleteTable(state, view.dispatch)
      }
      return { Backspace: remove, Delete: remove }
    },
  }),
]
