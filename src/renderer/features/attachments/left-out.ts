/** Worker message, among those of pdf.js, that a part of the PDF isn't drawn. */
export const LEFT_OUT = 'left out'
