/** `#RRGGBB`, or one word such as `crimson` (platform facts 0.1). */
const KNOWN_FORMS = /^(?:#[0-9a-f]{6}|[a-z]{3,24})$/i

/**
 * A label's colour as a CSS value. The platform decides it, so only the two forms that it is known to use reach the
 * style sheet; anything else is drawn in the colour of the text.
 */
export const labelColor = (color: string): string => (KNOWN_FORMS.test(color) ? color : 'currentColor')
