import { Extension } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { Plugin } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'

/**
 * URLs and e-mail addresses, whose parts a spell checker takes for words. The part before `@` is bounded (RFC 5321),
 * because this runs on every keystroke.
 */
const ADDRESS = /\b(?:https?:\/\/|www\.|mailto:)\S+|[^\s<>(),;:"]{1,64}@[^\s<>(),;:"]+/giu

/** Attribute of text without spell checking. Cleaning the message drops it. */
export const UNCHECKED = { spellcheck: 'false' }

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
export const SpellcheckExclusions = Extension.create({
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
