import { Extension } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { Plugin, PluginKey } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'

/**
 * URLs and e-mail addresses, whose parts a spell checker takes for words. The part before `@` is bounded (RFC 5321),
 * because this runs on every keystroke.
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
      // Count inline nodes without text as one position, as ProseMirror does.
      for (const address of addressesIn(node.textBetween(0, node.content.size, undefined, '\uFFFC'), at + 1))
        found.push(address)
    }
    return true
  })
  return DecorationSet.create(doc, found)
}

/** Excludes code and addresses from the spell check, in the editor only; the message is unaffected. */
export const SpellcheckExclusions = Extension.create({
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
