import Bold from '@lucide/svelte/icons/bold'
import Code from '@lucide/svelte/icons/code'
import Heading from '@lucide/svelte/icons/heading'
import Image from '@lucide/svelte/icons/image'
import Italic from '@lucide/svelte/icons/italic'
import Link from '@lucide/svelte/icons/link'
import List from '@lucide/svelte/icons/list'
import ListOrdered from '@lucide/svelte/icons/list-ordered'
import SquareCode from '@lucide/svelte/icons/square-code'
import Strikethrough from '@lucide/svelte/icons/strikethrough'
import Table from '@lucide/svelte/icons/table'
import TextQuote from '@lucide/svelte/icons/text-quote'
import Underline from '@lucide/svelte/icons/underline'
import type { ChainedCommands, Editor } from '@tiptap/core'
import type { Component } from 'svelte'
import { LINE_STYLE } from './paragraph-lines.ts'
import type { TableTool } from './rich-tables.ts'

declare module '@tiptap/core' {
  interface EditorEvents {
    /** Asks for what a tool inserts. */
    ask: 'link' | 'pictures'
  }
}

export interface FormatTool {
  readonly name: string
  readonly icon: Component
  /** Mark or node that presses the button. */
  readonly format: string
  readonly keys?: string
  /** Heading in the `/` menu; omitted for tools that aren't in it. */
  readonly heading?: string
  readonly run: (editor: Editor) => void
}

const toggle =
  (change: (chain: ChainedCommands) => ChainedCommands) =>
  (editor: Editor): void =>
    void change(editor.chain().focus()).run()

const mark = (name: string, format: string, icon: Component, keys: string): FormatTool => ({
  ...{ name, format, icon, keys, run: toggle((chain) => chain.toggleMark(format)) },
})

const block = (
  name: string,
  format: string,
  icon: Component,
  keys: string,
  change: (chain: ChainedCommands) => ChainedCommands,
): FormatTool => ({ name, format, icon, keys, heading: 'Format', run: toggle(change) })

const insert = (name: string, format: string, icon: Component, run: (editor: Editor) => void): FormatTool => ({
  ...{ name, format, icon, heading: 'Insert', run },
})

const LINE = `<p style="${LINE_STYLE}"></p>`
const ROW = `<tr>${`<td>${LINE}</td>`.repeat(3)}</tr>`
/** Ends with a line, so that the caret can leave the table. */
const NEW_TABLE = `<table>${ROW.repeat(3)}</table>${LINE}`

const insertTable = (editor: Editor): void => {
  const { from, $from } = editor.state.selection
  // The table replaces an empty paragraph, or ends the current one.
  const firstCell = from + ($from.parentOffset === 0 ? 3 : 5)
  editor.chain().focus().insertContent(NEW_TABLE).setTextSelection(firstCell).run()
}

export const PICTURE_TOOL = insert('Picture', 'picture', Image, (editor) => void editor.emit('ask', 'pictures'))

/** Tools of the format bar, in its order. */
export const FORMAT_TOOLS: readonly FormatTool[] = [
  mark('Bold', 'bold', Bold, 'Mod+b'),
  mark('Italic', 'italic', Italic, 'Mod+i'),
  mark('Underline', 'underline', Underline, 'Mod+u'),
  mark('Strikethrough', 'strike', Strikethrough, 'Mod+Shift+s'),
  { ...insert('Link', 'link', Link, (editor) => void editor.emit('ask', 'link')), keys: 'Mod+Shift+k' },
  block('List', 'bulletList', List, 'Mod+Shift+8', (chain) => chain.toggleBulletList()),
  block('Numbered list', 'orderedList', ListOrdered, 'Mod+Shift+7', (chain) => chain.toggleOrderedList()),
  block('Quote', 'blockquote', TextQuote, 'Mod+Shift+9', (chain) => chain.toggleBlockquote()),
  mark('Code', 'code', Code, 'Mod+e'),
  block('Code block', 'codeBlock', SquareCode, 'Mod+Alt+c', (chain) => chain.toggleCodeBlock()),
  insert('Table', 'table', Table, insertTable),
]

const HEADING = block('Heading', 'heading', Heading, 'Mod+Alt+2', (chain) => chain.toggleHeading({ level: 2 }))

/** Tools of the table that the caret is in. */
export const tableTools = ({ storage }: Editor): readonly FormatTool[] =>
  storage.table.tools.map(({ name, command }: TableTool): FormatTool => ({
    ...{ name, format: '', icon: Table, heading: 'Table' },
    run: (editor) => {
      editor.view.focus()
      command(editor.state, editor.view.dispatch)
    },
  }))

/** Tools of the `/` menu, grouped by heading. */
export const menuTools = (editor: Editor): readonly FormatTool[] => {
  const isInTable = editor.isActive('table')
  const tools = [...FORMAT_TOOLS, PICTURE_TOOL, HEADING].filter(({ format }) => !isInTable || format !== 'table')
  const under = (wanted: string): readonly FormatTool[] => tools.filter(({ heading }) => heading === wanted)
  return [...(isInTable ? tableTools(editor) : []), ...under('Insert'), ...under('Format')]
}
