/** Worker message, among those of pdf.js, that a part of the PDF isn't drawn. */
export const SKIPPED_PART = 'left out'
