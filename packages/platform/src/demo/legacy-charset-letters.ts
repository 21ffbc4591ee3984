import { inboxAddress } from './mailbox-index.ts'
import type { LetterDraft, ThreadingHeaders } from './thread-draft.ts'

/**
 * Mail in old charsets: one 7-bit Japanese message, one 8-bit Cyrillic, one Western in quoted-printable. Written byte
 * by byte, as the composer only writes UTF-8 and the platform has to handle other bytes.
 */

/** JIS X 0208 codes of the characters below that follow no pattern (kana are computed). */
const jisCodes: Readonly<Record<string, number>> = {
  '、': 0x2122,
  '。': 0x2123,
  ー: 0x213c,
  世: 0x4024,
  予: 0x4d3d,
  交: 0x3872,
  今: 0x3a23,
  健: 0x3772,
  先: 0x4068,
  刻: 0x396f,
  厨: 0x3f5f,
  反: 0x483f,
  古: 0x3845,
  司: 0x3b4a,
  味: 0x4c23,
  問: 0x4c64,
  定: 0x446a,
  小: 0x3e2e,
  届: 0x464f,
  山: 0x3b33,
  当: 0x4576,
  応: 0x317e,
  房: 0x4b3c,
  打: 0x4247,
  担: 0x4334,
  換: 0x3439,
  新: 0x3f37,
  日: 0x467c,
  明: 0x4c40,
  書: 0x3d71,
  林: 0x4e53,
  械: 0x3323,
  様: 0x4d4d,
  機: 0x3521,
  消: 0x3e43,
  用: 0x4d51,
  画: 0x3268,
  登: 0x4550,
  紙: 0x3b66,
  者: 0x3c54,
  話: 0x4f43,
  録: 0x4f3f,
  面: 0x4c4c,
  題: 0x426a,
  願: 0x346a,
  '：': 0x2127,
}

const jisCode = (character: string): number => {
  const point = character.codePointAt(0) ?? 0
  if (point >= 0x3041 && point <= 0x3093) return 0x2421 + point - 0x3041
  if (point >= 0x30a1 && point <= 0x30f6) return 0x2521 + point - 0x30a1
  const code = jisCodes[character]
  if (code === undefined) throw new Error(`The demo mailbox has no JIS code for ${character}.`)
  return code
}

/** ISO-2022-JP (RFC 1468): escape sequences switch between ASCII and two-byte JIS X 0208; every line ends in ASCII. */
const iso2022jp = (text: string): string => {
  return text.replaceAll(/[\u0080-\uffff]+/g, (run) => {
    const codes = Array.from(run, jisCode)
    return `\x1b$B${codes.map((code) => String.fromCharCode(code >> 8, code & 0xff)).join('')}\x1b(B`
  })
}

/** Windows-1251 for Russian: А to я are contiguous; Ё, ё, № and quotation marks are not. */
const windows1251 = (text: string): Buffer => {
  const apart: Readonly<Record<string, number>> = { Ё: 0xa8, ё: 0xb8, '№': 0xb9, '«': 0xab, '»': 0xbb, '—': 0x97 }
  return Buffer.from(
    Array.from(text, (character) => {
      const point = character.codePointAt(0) ?? 0
      return point >= 0x410 && point <= 0x44f ? point - 0x410 + 0xc0 : (apart[character] ?? point)
    }),
  )
}

/** Quoted-printable (RFC 2045, 6.7) of bytes given as Latin-1, with soft line breaks before column 76. */
const quotedPrintable = (latin1: string): string =>
  latin1
    .split('\r\n')
    .map((line) =>
      Array.from(
        line
          .replaceAll(
            /[^\x20-\x3c\x3e-\x7e]/g,
            (character) => `=${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
          )
          .matchAll(/.{1,70}(?<!=.?)(?!$)|.+$/g),
        ([part]) => part,
      ).join('=\r\n'),
    )
    .join('\r\n')

const encodedWord = (charset: string, bytes: Buffer): string => `=?${charset}?B?${bytes.toString('base64')}?=`

const message = (frame: ThreadingHeaders, headers: readonly string[], body: Buffer): Uint8Array => {
  const head = [
    ...frame.journey,
    ...headers,
    `To: Larkspur Support <${inboxAddress}>`,
    `Date: ${frame.date.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: ${frame.messageId}`,
    'MIME-Version: 1.0',
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body, Buffer.from('\r\n')])
}

/** A soba restaurant in Nagano writes about a tablet and a bowl of broth: ISO-2022-JP, 7bit. */
function japanese(frame: ThreadingHeaders, text: string): Uint8Array {
  const word = (text: string): string => encodedWord('ISO-2022-JP', Buffer.from(iso2022jp(text), 'latin1'))
  return message(
    frame,
    [
      `From: ${word('小林 健司')} <kenji.kobayashi@yama-soba.example>`,
      `Subject: ${word('山そば：打刻用タブレッ')}\r\n ${word('トの交換について')}`,
      'Content-Type: text/plain; charset=ISO-2022-JP',
      'Content-Transfer-Encoding: 7bit',
      'X-Mailer: Becky! ver. 2.81.07 [ja]',
    ],
    Buffer.from(iso2022jp(text), 'latin1'),
  )
}

/** A café asks about an invoice: windows-1251, 8bit. */
function russian(frame: ThreadingHeaders, text: string): Uint8Array {
  return message(
    frame,
    [
      `From: ${encodedWord('windows-1251', windows1251('Ирина Соколова'))} <irina.sokolova@berezka-cafe.example>`,
      `Subject: ${encodedWord('windows-1251', windows1251('Вопрос по счёту за ноябрь'))}`,
      'Content-Type: text/plain; charset=windows-1251',
      'Content-Transfer-Encoding: 8bit',
      'X-Mailer: The Bat! (v11.4)',
    ],
    windows1251(text),
  )
}

/** A brasserie reports broken accents, in ISO-8859-15 with intact ones. `¤` (0xA4) in Latin-1 is its euro sign. */
function western(frame: ThreadingHeaders, text: string): Uint8Array {
  return message(
    frame,
    [
      'From: =?ISO-8859-15?Q?Beno=EEt_Lambert?= <benoit@brasserie-du-canal.example>',
      'Subject: =?ISO-8859-15?Q?Relev=E9_d=27heures_=3A_=E9=2C_=E8_et_=E7_remplac=E9s?=\r\n =?ISO-8859-15?Q?_par_des_=AB_=3F_=BB?=',
      'Content-Type: text/plain; charset=ISO-8859-15',
      'Content-Transfer-Encoding: quoted-printable',
    ],
    Buffer.from(quotedPrintable(text.replaceAll('€', '¤')), 'latin1'),
  )
}

const programs: Readonly<Record<string, (frame: ThreadingHeaders, text: string) => Uint8Array>> = {
  'ISO-2022-JP': japanese,
  'windows-1251': russian,
  'ISO-8859-15': western,
}

export function composeInCharset(charset: string, text: string): NonNullable<LetterDraft['byHand']> {
  const program = programs[charset]
  if (program === undefined) throw new Error(`The demo writes no letter in ${charset}.`)
  return (frame) => program(frame, text.replaceAll('\n', '\r\n'))
}
