/** Media types of S/MIME (RFC 8551, 3.2) and PGP/MIME (RFC 3156), as `knownType` has them. */
export const isSmimeType = (type: string): boolean => /^application\/(?:x-)?pkcs7-mime$/.test(type)
/** A signature apart from what it signs: nothing to be read. */
export const isSignatureType = (type: string): boolean => /^application\/(?:(?:x-)?pkcs7|pgp)-signature$/.test(type)
