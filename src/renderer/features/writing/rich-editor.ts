import { Editor, Mark, type Extensions, Extension } from '@tiptap/core'
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
import { Underline } from '@tiptap/extension-underline'
import { Dropcursor, UndoRedo } from '@tiptap/extensions'
import { Fragment, Slice, type ResolvedPos, type Node } from '@tiptap/pm/model'
import { type EditorState, Plugin } from '@tiptap/pm/state'
import { isHeavyHtml } from '../../../shared/mail-text/heavy-html.ts'
import { htmlToText } from '../../../shared/mail-text/html-to-text.ts'
import { toSafeLinkTarget } from '../links/safe-link.ts'
import { sanitizePaste } from './sanitize-paste.ts'
import type { HasInlineImage } from './outgoing-html.ts'
import { isLine, convertSpacingToLines } from './paragraph-lines.ts'
import { createPicture, type PictureOf } from './rich-pictures.ts'
import { TABLE_EXTENSIONS } from './rich-tables.ts'
import { Decoration, DecorationSet } from '@tiptap/pm/view'

/**
 * URLs and e-mail addresses, whose parts a spell checker takes for words. The part before `@` is bounded (RFC 5321),
 * because this runs on every keystroke.
 */
const ADDRESS = /\b(?:https?:\/\/|www\.|mailto:)\S+|[^\s<>(),;:"]{1,64}@[^\s<>(),;:"]+/giu

/** Attribute of text without spell checking. Cleaning the message drops it. */
const UNCHECKED = { spellcheck: 'false' }

const addressesIn = (doc: Node): DecorationSet => {
  const found: Decoration[] = []
  doc.descendants((node, at) => {
    if (!node.isTextblock || node.type.spec.code === true) return
    // Count inline nodes without text as one position, as ProseMirror does.
    const text = node.textBetween(0, node.content.size, undefined, '\uFFFC')
    for (const { 0: address, index } of text.matchAll(ADDRESS)) {
      const start = at + 1 + index
      found.push(Decoration.inline(start, start + address.length, UNCHECKED))
    }
  })
  return DecorationSet.create(doc, found)
}

/** Excludes addresses from the spell check, in the editor only. */
const SpellcheckExclusions = Extension.create({
  name: 'uncheckedWords',
  addProseMirrorPlugins: () => {
    const plugin = new Plugin<DecorationSet>({
      state: {
        init: (_config, { doc }) => addressesIn(doc),
        apply: (transaction, before) => (transaction.docChanged ? addressesIn(transaction.doc) : before),
      },
      props: { decorations: (state): DecorationSet | undefined => plugin.getState(state) },
    })
    return [plugin]
  },
})

export interface RichEditorOptions {
  readonly element: HTMLElement
  readonly html: string
  readonly attributes: Readonly<Record<string, string>>
  readonly onChange: () => void
  readonly onFiles?: (files: readonly File[]) => void
  readonly pictureOf?: PictureOf
  /** True if the message contains the image; other pasted images become alt text. */
  readonly hasInlineImage?: HasInlineImage
}

/** Raised or lowered text, as pasted. Ends where typing continues, since no key ends it. */
const createScript = (tag: 'sup' | 'sub') =>
  Mark.create({
    name: tag,
    inclusive: false,
    parseHTML: () => [{ tag }],
    renderHTML: () => [tag, 0],
  })

/** Enter creates a paragraph without a margin. Paragraphs with a margin come from other programs and keep it. */
const Line = Paragraph.extend({
  // Gives each list the direction of its text, with its marks on that side. The style sheet does the same for
  // paragraphs; as an attribute of theirs, it would hide their text from the list.
  addGlobalAttributes: () => [
    { types: ['bulletList', 'orderedList'], attributes: { dir: { default: 'auto', parseHTML: () => 'auto' } } },
  ],
  addAttributes: () => ({
    isSpaced: {
      default: false,
      keepOnSplit: false,
      parseHTML: (element) => !isLine(element),
      // Not a style: the window's policy blocks inline styles.
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
  Underline,
  Strike,
  createScript('sup'),
  createScript('sub'),
  // Words in code may be struck out, too.
  Code.extend({ excludes: '' }).configure({ HTMLAttributes: UNCHECKED }),
  CodeBlock.extend({ marks: 'bold italic underline link strike sup sub' }).configure({ HTMLAttributes: UNCHECKED }),
  // Gmail's shortcut. The editor's default shortcut is Linnet's for Bcc.
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
    // Add a scheme to links without one, so they can be checked.
    isAllowedUri: (address) =>
      toSafeLinkTarget(/^[a-z][\w+.-]*:/i.test(address) ? address : `https://${address}`) !== null,
  }),
  createPicture(pictureOf),
  ...TABLE_EXTENSIONS,
  SpellcheckExclusions,
]

/** Pasted plain text keeps its lines, including empty ones. */
const parsePastedText = (text: string, context: ResolvedPos, { schema }: EditorState): Slice => {
  const marks = context.marks()
  // The first line break after a paragraph ends it; each further one adds an empty paragraph.
  const parts = text.replace(/\r\n?/g, '\n').split(/\n(?=\n)|(?<=\n)\n/)
  const paragraphs = parts.map((lines) => {
    const content = lines
      .split('\n')
      .flatMap((line, index) => [
        ...(index === 0 ? [] : [schema.node('hardBreak')]),
        ...(line === '' ? [] : [schema.text(line, marks)]),
      ])
    return schema.node('paragraph', null, content)
  })
  return Slice.maxOpen(Fragment.from(paragraphs))
}

/** Creates the rich-text editor. This module is loaded only when the user writes. */
export const createRichEditor = (options: RichEditorOptions): Editor => {
  const takeFiles = (event: Event, data: DataTransfer | null): boolean => {
    const files = [...(data?.files ?? [])]
    if (files.length === 0) return false
    event.preventDefault()
    options.onFiles?.(files)
    return true
  }
  return new Editor({
    element: options.element,
    content: options.html,
    extensions: extensionsFor(options),
    // The composer has its own style sheet; the window's policy blocks injected ones.
    injectCSS: false,
    editorProps: {
      attributes: { ...options.attributes },
      clipboardTextParser: (text, context, _isPlain, view) => parsePastedText(text, context, view.state),
      transformPastedHTML: (html) => convertSpacingToLines(sanitizePaste(html, options.hasInlineImage)),
      // Keep the line after the caret visible too.
      scrollMargin: 16,
      scrollThreshold: 16,
      handleDOMEvents: {
        // Before the editor parses the HTML.
        paste: (view, event) => {
          const html = event.clipboardData?.getData('text/html') ?? ''
          if (!isHeavyHtml(html)) return false
          event.preventDefault()
          // Too heavy to format.
          const text = event.clipboardData?.getData('text/plain') ?? ''
          view.pasteText(text === '' ? htmlToText(html) : text)
          return true
        },
      },
      handlePaste: (_view, event) => {
        const data = event.clipboardData
        // Microsoft Word also copies the text as an image.
        const hasWords = (data?.getData('text/plain') ?? '') !== ''
        return !hasWords && takeFiles(event, data)
      },
      handleDrop: (_view, event, _slice, isMoved) => !isMoved && takeFiles(event, event.dataTransfer),
    },
    onUpdate: () => options.onChange(),
  })
}
