import { Extension, Node, type Extensions } from '@tiptap/core'
import type { Command, EditorState } from '@tiptap/pm/state'
import {
  addColumnAfter,
  addColumnBefore,
  addRowAfter,
  addRowBefore,
  CellSelection,
  deleteColumn,
  deleteRow,
  deleteTable,
  goToNextCell,
  tableEditing,
  toggleHeader,
} from '@tiptap/pm/tables'

export interface TableTool {
  readonly name: string
  readonly command: Command
}

/** Changes to the table that the caret is in, for the format bar. */
const TABLE_TOOLS: readonly TableTool[] = [
  { name: 'Row above', command: addRowBefore },
  { name: 'Row below', command: addRowAfter },
  { name: 'Column before', command: addColumnBefore },
  { name: 'Column after', command: addColumnAfter },
  { name: 'Header row', command: toggleHeader('row') },
  { name: 'Delete row', command: deleteRow },
  { name: 'Delete column', command: deleteColumn },
  { name: 'Delete table', command: deleteTable },
]

declare module '@tiptap/core' {
  interface Storage {
    table: { readonly tools: readonly TableTool[] }
  }
}

/** Attributes that draw borders in the user's tables, even without CSS. */
const BORDER_ATTRIBUTES = { border: '1', cellpadding: '4', cellspacing: '0' }

const MAX_SPAN = 200

const spanAttribute = (name: 'colspan' | 'rowspan') => ({
  default: 1,
  parseHTML: (cell: HTMLElement): number => {
    const count = Number(cell.getAttribute(name))
    return Number.isInteger(count) && count > 1 ? Math.min(count, MAX_SPAN) : 1
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
      colspan: spanAttribute('colspan'),
      rowspan: spanAttribute('rowspan'),
      // A message has no column widths.
      colwidth: { default: null, rendered: false, parseHTML: () => null },
    }),
    parseHTML: () => [{ tag }],
    renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes, 0],
    extendNodeSchema: (extension) =>
      extension.name === name ? { tableRole: tag === 'td' ? 'cell' : 'header_cell' } : {},
  })

/** If all cells are selected, delete the table rather than emptying it. */
const isTableSelected = ({ selection }: EditorState): boolean => {
  if (!(selection instanceof CellSelection)) return false
  return selection.isColSelection() && selection.isRowSelection()
}

/** Tables, inserted or pasted from a spreadsheet or web page. */
export const TABLE_EXTENSIONS: Extensions = [
  Node.create({
    name: 'table',
    content: 'tableRow+',
    group: 'block',
    isolating: true,
    parseHTML: () => [{ tag: 'table' }],
    renderHTML: () => ['table', BORDER_ATTRIBUTES, ['tbody', 0]],
    extendNodeSchema: ({ name }) => (name === 'table' ? { tableRole: 'table' } : {}),
    addProseMirrorPlugins: () => [tableEditing()],
    addStorage: () => ({ tools: TABLE_TOOLS }),
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
      const run = (command: Command): boolean => command(this.editor.state, this.editor.view.dispatch)
      const remove = (): boolean => isTableSelected(this.editor.state) && run(deleteTable)
      return {
        Backspace: remove,
        Delete: remove,
        Tab: () => run(goToNextCell(1)) || (run(addRowAfter) && run(goToNextCell(1))),
        'Shift-Tab': () => run(goToNextCell(-1)),
      }
    },
  }),
]
