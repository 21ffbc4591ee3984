/**
 * An image that an e-mail carries in its own text. Only grids of pixels: a drawing (SVG) is a document, in which a few
 * hundred characters can ask for a billion shapes.
 */
const EMBEDDED = /^data:image\/(?:avif|bmp|gif|jpeg|jpg|pjpeg|png|webp|x-icon|vnd\.microsoft\.icon)[;,]/i

/** Whether an address is that of an image which comes with the e-mail and can be shown. */
export const isEmbeddedImage = (address: string): boolean => EMBEDDED.test(address)
