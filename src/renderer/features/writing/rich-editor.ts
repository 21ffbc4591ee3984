import { Editor, Node as NodeType, type Extensions } from '@tiptap/core'
import { Blockquote } from '@tiptap/extension-blockquote'
import { Bold } from '@tiptap/extension-bold'
import { Code } from '@tiptap/extension-code'
import { CodeBlock } from '@tiptap/extension-code-block'
import { Document } from '@tiptap/extension-document'
import { HardBreak } from '@tiptap/extension-hard-break'
import { Heading } from '@tiptap/extension-heading'
import { HorizontalRule } from '@tiptap/extension-horizontal-rule'
import { Italic } from '@tiptap/extension-italic'
import { Link } from '@tiptap/extension-link'
import { BulletList, ListItem, ListKeymap, OrderedList } from '@tiptap/extension-list'
import { Paragraph } from '@tiptap/extension-paragraph'
import { Strike } from '@tiptap/extension-strike'
import { Text } from '@tiptap/extension-text'
import { Dropcursor, UndoRedo } from '@tiptap/extensions'
import { Fragment, Slice, type Node, type ResolvedPos } from '@tiptap/pm/model'
import type { EditorState } from '@tiptap/pm/state'
import { safeLinkTarget } from '../links/safe-link.ts'
import { cleanPaste } from './clean-paste.ts'
import type { Carries } from './outgoing-html.ts'
import { isLine, spacesAsLines } from './paragraph-lines.ts'
import { TABLES } from './rich-tables.ts'
import { UncheckedWords } from './unchecked-words.ts'

export interface RichEditorOptions {
  readonly element: HTMLElement
  readonly html: string
  readonly attributes: Readonly<Record<string, string>>
  /** The person changed the words. */
  readonly onChange: () => void
  /** The caret went elsewhere, or the words around it changed. */
  readonly onMove: () => void
  readonly onFiles: (files: readonly File[]) => void
  /** Where a picture of the text can be shown from. */
  readonly pictureOf: (contentId: string) => Promise<string | null>
  /** Whether the message has a picture: pasted ones of others are named by their words. */
  readonly carries: Carries
}

/** A picture in the text, named as the message names it; what is drawn is only the editor's. */
const createPicture = (pictureOf: RichEditorOptions['pictureOf']) =>
  NodeType.create({
    name: 'picture',
    group: 'inline',
    inline: true,
    draggable: true,
    addAttributes: () => ({
      src: { default: '' },
      alt: { default: '' },
      width: { default: null },
      height: { default: null },
    }),
    parseHTML: () => [{ tag: 'img[src^="cid:"]' }],
    renderHTML: ({ HTMLAttributes }) => ['img', HTMLAttributes],
    addNodeView:
      () =>
      ({ node }) => {
        const dom = document.createElement('img')
        dom.alt = String(node.attrs.alt)
        void pictureOf(String(node.attrs.src).slice('cid:'.length)).then((address) => {
          if (address !== null) dom.src = address
        })
        return { dom }
      },
  })

/** A paragraph that Enter makes is a line; one with room below it was written elsewhere, and stays as it is seen. */
const Line = Paragraph.extend({
  addAttributes: () => ({
    isSpaced: {
      default: false,
      keepOnSplit: false,
      parseHTML: (element) => !isLine(element),
      // Not by a style: the window's policy draws none.
      renderHTML: ({ isSpaced }) => (isSpaced === true ? { 'data-spaced': '' } : {}),
    },
  }),
})

const extensionsFor = ({ pictureOf }: RichEditorOptions): Extensions => [
  Document,
  Line,
  Text,
  Bold,
  Italic,
  Strike,
  Code,
  CodeBlock,
  // As Gmail has it; the editor's own is that of Bcc here.
  Blockquote.extend({
    addKeyboardShortcuts() {
      return { 'Mod-Shift-9': () => this.editor.commands.toggleBlockquote() }
    },
  }),
  BulletList,
  OrderedList,
  ListItem,
  ListKeymap,
  HardBreak,
  HorizontalRule,
  UndoRedo,
  Dropcursor,
  Heading.configure({ levels: [1, 2, 3] }),
  Link.configure({
    openOnClick: false,
    defaultProtocol: 'https',
    HTMLAttributes: { target: null, rel: null },
    // An address without a scheme is given one before it is looked at again.
    isAllowedUri: (address) =>
      safeLinkTarget(/^[a-z][\w+.-]*:/i.test(address) ? address : `https://${address}`) !== null,
  }),
  createPicture(pictureOf),
  ...TABLES,
  UncheckedWords,
]

/** Plain text that is pasted: its lines stay lines, empty ones too. */
const readPastedText = (text: string, context: ResolvedPos, { schema }: EditorState): Slice => {
  const marks = context.marks()
  const paragraphOf = (lines: string): Node =>
    schema.node(
      'paragraph',
      null,
      lines
        .split('\n')
        .flatMap((line, index) => [
          ...(index === 0 ? [] : [schema.node('hardBreak')]),
          ...(line === '' ? [] : [schema.text(line, marks)]),
        ]),
    )
  // Between two paragraphs stand the line breaks that part them: one ends the first.
  const parts = text.replace(/\r\n?/g, '\n').split(/(\n{2,})/)
  const paragraphs = parts.flatMap((part, index) =>
    index % 2 === 0 ? [paragraphOf(part)] : Array.from({ length: part.length - 1 }, () => paragraphOf('')),
  )
  return Slice.maxOpen(Fragment.from(paragraphs))
}

const filesOf = (data: DataTransfer | null): readonly File[] => [...(data?.files ?? [])]

/** Makes the editor of rich text: loaded when somebody writes, as nobody else needs it. */
export const createRichEditor = (options: RichEditorOptions): Editor => {
  const takeFiles = (event: Event, data: DataTransfer | null): boolean => {
    const files = filesOf(data)
    if (files.length === 0) return false
    event.preventDefault()
    options.onFiles(files)
    return true
  }
  return new Editor({
    element: options.element,
    content: options.html,
    extensions: extensionsFor(options),
    // Its style sheet is the composer's own: one that is put in at run time has no place in the window's.
    injectCSS: false,
    editorProps: {
      attributes: { ...options.attributes },
      clipboardTextParser: (text, context, _isPlain, view) => readPastedText(text, context, view.state),
      transformPastedHTML: (html) => spacesAsLines(cleanPaste(html, options.carries)),
      // What follows the caret's line is in sight as well.
      scrollMargin: 16,
      scrollThreshold: 16,
      handlePaste: (_view, event) => {
        const data = event.clipboardData
        // Word puts a picture of the words beside the words.
        const hasWords = (data?.getData('text/plain') ?? '') !== ''
        return !hasWords && takeFiles(event, data)
      },
      handleDrop: (_view, event, _slice, isMoved) => !isMoved && takeFiles(event, event.dataTransfer),
    },
    onUpdate: () => options.onChange(),
    onTransaction: () => options.onMove(),
  })
}
