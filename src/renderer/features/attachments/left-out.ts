/** What the thread of a PDF says, among the messages of pdf.js, where a part of it is not drawn. */
export const LEFT_OUT = 'left out'
