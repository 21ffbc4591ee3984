/** Media types of S/MIME (RFC 8551, 3.2) and PGP/MIME (RFC 3156), in `normalizeMediaType` form. */
export const isSmimeType = (type: string): boolean => /^application\/(?:x-)?pkcs7-mime$/.test(type)
/** A detached signature, which has no readable content. */
export const isSignatureType = (type: string): boolean => /^application\/(?:(?:x-)?pkcs7|pgp)-signature$/.test(type)
