/** Elements that hold data for the program that wrote the HTML, as Word's: a browser, which does not know them, draws their words. */
export const DATA_ELEMENTS: readonly string[] = [
  ...['xml', 'w:worddocument', 'w:latentstyles', 'm:mathpr', 'o:officedocumentsettings', 'o:documentproperties'],
  ...['o:customdocumentproperties', 'o:shapedefaults', 'o:shapelayout', 'x:excelworkbook'],
]
