import { extname } from 'node:path'
import { pdf, zip } from './drawn-files.ts'
import * as pictures from './letter-pictures.ts'
import { readText } from './resources.ts'
import type { FileDraft } from './thread-draft.ts'

/** An agreement with its annex. */
const agreement = (party: string): Uint8Array =>
  zip([
    {
      name: 'Data processing agreement.txt',
      content: `Data processing agreement between ${party} and Larkspur Rota B.V.\n\n§ 7 Return and deletion\nThirty days after the end of the contract all personal data is deleted. Until then the controller may export it.\n`,
    },
    {
      name: 'Annex 2 - Sub-processors.txt',
      content:
        'Noordkade Hosting, Groningen (servers)\nBriefwerk, Leipzig (mail)\nCoinpurse Payments, Dublin (payments)\n',
    },
  ])

/** Files that are larger than the code that draws them. */
const drawn: Readonly<Record<string, () => Uint8Array>> = {
  'two-rotas.png': () => pictures.rotaScreenshot(11),
  'Backschichten Straßenfest.png': () => pictures.rotaScreenshot(3),
  'shift-questions-v2.png': pictures.questionScreen,
  'db-2-week.png': pictures.diskCurve,
  'stand-front.png': pictures.standFromTheFront,
  'stand-side.png': pictures.standFromTheSide,
  'leicester-print.png': () => pictures.cutOffPrint('right'),
  'left-roll.png': () => pictures.cutOffPrint('right'),
  'right-a3.png': () => pictures.cutOffPrint('left'),
  'menu-in-czech.png': pictures.printerDisplay,
  'Larkspur DPA Engelbraeu.zip': () => agreement('Engelbraeu GmbH & Co. KG'),
}

/** The names by which HTML shows pictures in their place. */
const contentIds: Readonly<Record<string, string>> = {
  'shift-questions-v2.png': 'shift-questions-v2',
  'db-2-week.png': 'disk-curve',
  'stand-front.png': 'stand-front',
  'stand-side.png': 'stand-side',
}

const types: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.json': 'application/json',
  '.log': 'text/plain',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
  '.zip': 'application/zip',
}

const contentOf = (name: string): FileDraft['content'] => {
  const draw = drawn[name]
  if (draw !== undefined) return draw()
  // The file has a line for each paragraph of the PDF.
  if (name.endsWith('.pdf')) return pdf(readText(`files/${name}.txt`).trim().split('\n'))
  const text = readText(`files/${name}`)
  return name.endsWith('.csv') ? text.replaceAll('\n', '\r\n') : text
}

/** A file that goes with a letter: drawn, or from `resources/demo/files`. */
export function attachedFile(name: string): FileDraft {
  const type = types[extname(name)]
  if (type === undefined) throw new Error(`The demo does not know what kind of file ${name} is.`)
  return { name, type, content: contentOf(name), cid: contentIds[name] }
}

/** An iCalendar request from `resources/demo/files`. */
export const invitationIn = (name: string): string => readText(`files/${name}`).replaceAll('\n', '\r\n')
