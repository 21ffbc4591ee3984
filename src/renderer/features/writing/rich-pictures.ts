import { Node as NodeType, ResizableNodeView } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'

/** Object URL of a picture in the message; null if it can't be shown. */
export type PictureOf = (contentId: string) => Promise<string | null>

/** Inline image, named by its content ID; its source URL exists only in the editor. */
export const createPicture = (pictureOf: PictureOf | undefined) =>
  NodeType.create({
    name: 'picture',
    group: 'inline',
    inline: true,
    draggable: true,
    addAttributes: () => ({
      src: { default: '' },
      alt: { default: '' },
      // The height follows.
      width: { default: null },
    }),
    parseHTML: () => [{ tag: 'img[src^="cid:"]' }],
    renderHTML: ({ HTMLAttributes }) => ['img', HTMLAttributes],
    addNodeView:
      () =>
      ({ node, editor, getPos }) => {
        const image = document.createElement('img')
        const { src } = node.attrs
        const update = ({ attrs }: Node): boolean => {
          if (attrs.src !== src) return false
          image.alt = String(attrs.alt)
          image.style.width = attrs.width === null ? '' : `${Number(attrs.width)}px`
          image.style.height = ''
          return true
        }
        void pictureOf?.(String(src).slice('cid:'.length)).then((address) => {
          if (address !== null) image.src = address
        })
        const view = new ResizableNodeView({
          ...{ element: image, node, editor, getPos, onUpdate: update },
          onCommit: (width) => {
            const at = getPos()
            if (at !== undefined) editor.view.dispatch(editor.state.tr.setNodeAttribute(at, 'width', width))
          },
          options: { preserveAspectRatio: true, directions: ['top-left', 'bottom-right'] },
        })
        update(node)
        return view
      },
  })
