import { Extension } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { Plugin, PluginKey } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'

/**
 * Addresses of pages and of people: whoever checks the spelling sees their parts as words. What stands before an `@` is
 * bounded (RFC 5321), as it is looked for at every letter.
 */
const ADDRESS = /\b(?:https?:\/\/|www\.|mailto:)\S+|[^\s<>(),;:"]{1,64}@[^\s<>(),;:"]+/giu

const UNCHECKED = { spellcheck: 'false' }

const addressesIn = (text: string, at: number): readonly Decoration[] =>
  [...text.matchAll(ADDRESS)].map(({ 0: address, index }) =>
    Decoration.inline(at + index, at + index + address.length, UNCHECKED),
  )

const uncheckedIn = (doc: Node): DecorationSet => {
  const found: Decoration[] = []
  doc.descendants((node, at) => {
    if (node.type.spec.code === true) {
      found.push(Decoration.node(at, at + node.nodeSize, UNCHECKED))
      return false
    }
    if (node.isText && node.marks.some(({ type }) => type.spec.code === true)) {
      found.push(Decoration.inline(at, at + node.nodeSize, UNCHECKED))
    } else if (node.isTextblock) {
      // What stands in the line and is no text takes one place there.
      found.push(...addressesIn(node.textBetween(0, node.content.size, undefined, '\uFFFC'), at + 1))
    }
    return true
  })
  return DecorationSet.create(doc, found)
}

/** Keeps the spell check from code and from addresses, in the editor alone: the message itself says nothing of it. */
export const UncheckedWords = Extension.create({
  name: 'uncheckedWords',
  addProseMirrorPlugins: () => {
    const key = new PluginKey<DecorationSet>('uncheckedWords')
    return [
      new Plugin<DecorationSet>({
        key,
        state: {
          init: (_config, { doc }) => uncheckedIn(doc),
          apply: (transaction, before) => (transaction.docChanged ? uncheckedIn(transaction.doc) : before),
        },
        props: { decorations: (state) => key.getState(state) },
      }),
    ]
  },
})
