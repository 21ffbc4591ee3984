/**
 * An image that an e-mail carries in its own text. Only grids of pixels: a drawing (SVG) is a document, in which a few
 * hundred characters can ask for a billion shapes.
 */
const EMBEDDED = /^data:image\/(?:avif|bmp|gif|jpeg|jpg|pjpeg|png|webp|x-icon|vnd\.microsoft\.icon)[;,]/i

/** Whether an address is that of an image which comes with the e-mail and can be shown. */
export const isEmbeddedImage = (address: string): boolean => EMBEDDED.test(address)

/** How many bytes an embedded image has; null where it is not written as base64. */
export const embeddedLength = (address: string): number | null => {
  const comma = address.indexOf(',')
  if (!/;base64$/i.test(address.slice(0, comma).trim())) return null
  return Math.floor((address.slice(comma + 1).replace(/[\s=]|%3d/gi, '').length * 3) / 4)
}
