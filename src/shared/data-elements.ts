/** Elements with data for the program that wrote the HTML, such as Word. Browsers would show the data as text. */
export const DATA_ELEMENTS: readonly string[] = [
  ...['xml', 'w:worddocument', 'w:latentstyles', 'm:mathpr', 'o:officedocumentsettings', 'o:documentproperties'],
  ...['o:customdocumentproperties', 'o:shapedefaults', 'o:shapelayout', 'x:excelworkbook'],
]
