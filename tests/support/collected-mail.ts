import PostalMime from 'postal-mime'
import { buildDemoMailbox } from '../../packages/platform/src/demo/demo-mailbox.ts'
import { PASTED } from '../unit/renderer/support/pasted-corpus.ts'
import { ASSISTANT_MAILS } from './assistant-mails.ts'
import { COLOURED_MAIL } from './coloured-mail.ts'
import { generateMail } from './generated-mail.ts'
import { hostileCorpus } from './hostile-corpus.ts'
import { MALFORMED_MESSAGES, MORE_MALFORMED_MESSAGES } from './malformed-mail.ts'

export interface CollectedMail {
  readonly name: string
  readonly html: string
}

const parsed = async (name: string, raw: string | Uint8Array): Promise<readonly CollectedMail[]> => {
  const { html } = await PostalMime.parse(raw).catch(() => ({ html: undefined }))
  return html === undefined ? [] : [{ name, html }]
}

/** Styles that try to hang the window. */
const HARD: readonly CollectedMail[] = [
  ['brackets in brackets', `<p style="width:${'('.repeat(100_000)}">a</p>`],
  ['a property again and again', `<p style="${'color:red;'.repeat(11_000)}">a</p>`],
  ['a long value', `<p style="clip-path:polygon(${'1px 1px,'.repeat(14_000)}0 0)">a</p>`],
  ['rules in rules', `<style>${'a{'.repeat(200)}</style>`],
  ['variables in a circle', '<style>*{--a:var(--b);--b:var(--a);color:var(--a)}</style>'],
].map(([name = '', html = '']) => ({ name, html: `${html}<p class="x">kept</p>` }))

/** All HTML of the corpora, and `generated` random messages (of the seed `LINNET_TEST_SEED`). */
export const collectMail = async (generated = 900): Promise<readonly CollectedMail[]> => {
  const demo = await buildDemoMailbox(new Date(Date.UTC(2026, 10, 1)))
  const letters = demo.threads.flatMap(({ messages }) => messages)
  const raw = [
    ...letters.map((letter, index) => ({ name: `demo ${index}`, raw: letter.raw })),
    ...ASSISTANT_MAILS,
    ...MALFORMED_MESSAGES,
    ...MORE_MALFORMED_MESSAGES,
  ]
  return [
    ...COLOURED_MAIL.map(({ subject, html }) => ({ name: subject, html })),
    ...hostileCorpus('evil.example'),
    ...HARD,
    ...PASTED,
    ...(await Promise.all(raw.map((mail) => parsed(mail.name, mail.raw)))).flat(),
    ...generateMail(Number(process.env.LINNET_TEST_SEED ?? 1), generated),
  ]
}
