/** Raster images only: a few hundred characters of SVG can request a billion shapes. */
const EMBEDDED = /^data:image\/(?:avif|bmp|gif|jpeg|jpg|pjpeg|png|webp|x-icon|vnd\.microsoft\.icon)[;,]/i

/** True for the address of an embedded image that can be shown. */
export const isImageDataUrl = (address: string): boolean => EMBEDDED.test(address)

/** Size of an embedded image in bytes, or null if it isn't base64. */
export const measureEmbeddedImage = (address: string): number | null => {
  const comma = address.indexOf(',')
  if (!/;base64$/i.test(address.slice(0, comma).trim())) return null
  return Math.floor((address.slice(comma + 1).replace(/[\s=]|%3d/gi, '').length * 3) / 4)
}
