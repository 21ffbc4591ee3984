import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import PostalMime from 'postal-mime'
import { build } from 'vite'
import { buildDemoMailbox } from '../../src/service/demo/demo-mailbox.ts'
import { ASSISTANT_MAILS } from '../support/assistant-mails.ts'
import { COLOURED_MAIL } from '../support/coloured-mail.ts'
import { generateMail } from '../support/generated-mail.ts'
import { hostileCorpus } from '../support/hostile-corpus.ts'
import { MALFORMED_MESSAGES, MORE_MALFORMED_MESSAGES } from '../support/malformed-mail.ts'
import { root } from '../support/program.ts'
import { PASTED } from '../unit/renderer/support/pasted-corpus.ts'
import { expect, test } from './linnet.ts'

type Way = 'answer' | 'forward' | 'paste'

declare global {
  var linnetWriting: { readonly compare: (html: string, way: Way) => Promise<readonly string[] | null> }
}

const bundle = async (): Promise<string> => {
  const entry = join(root, 'tests/unit/renderer/support/seen-as-sent.ts')
  const lib = { entry, formats: ['iife' as const], name: 'linnetWriting' }
  const built = await build({ configFile: false, logLevel: 'silent', build: { write: false, lib } })
  const code = [built].flat().flatMap((one) => ('output' in one ? one.output[0].code : []))[0]
  if (code === undefined) throw new Error('There is no build.')
  return code
}

interface Mail {
  readonly name: string
  readonly html: string
}

const parsed = async (name: string, raw: string | Uint8Array): Promise<readonly Mail[]> => {
  const { html } = await PostalMime.parse(raw).catch(() => ({ html: undefined }))
  return html === undefined ? [] : [{ name, html }]
}

/** Styles that try to hang the window. */
const HARD: readonly Mail[] = [
  ['brackets in brackets', `<p style="width:${'('.repeat(100_000)}">a</p>`],
  ['a property again and again', `<p style="${'color:red;'.repeat(11_000)}">a</p>`],
  ['a long value', `<p style="clip-path:polygon(${'1px 1px,'.repeat(14_000)}0 0)">a</p>`],
  ['rules in rules', `<style>${'a{'.repeat(200)}</style>`],
  ['variables in a circle', '<style>*{--a:var(--b);--b:var(--a);color:var(--a)}</style>'],
].map(([name = '', html = '']) => ({ name, html: `${html}<p class="x">kept</p>` }))

const collectMail = async (): Promise<readonly Mail[]> => {
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
    ...generateMail(Number(process.env.LINNET_TEST_SEED ?? 1), 900),
  ]
}

/** Without pictures, an answer quotes what a forward does. */
const waysOf = ({ html }: Mail): readonly Way[] =>
  /<img|background/i.test(html) ? ['answer', 'forward', 'paste'] : ['forward', 'paste']

type Results = readonly (readonly [name: string, differences: readonly string[] | null])[]

const compareIn = async (browser: Browser, script: string, mails: readonly Mail[]): Promise<Results> => {
  const page = await browser.newPage()
  await page.route('**', (route) =>
    route.request().isNavigationRequest()
      ? route.fulfill({ contentType: 'text/html', body: '<!doctype html>' })
      : route.abort(),
  )
  // A secure context, as in the window.
  await page.goto('http://localhost/')
  await page.addScriptTag({ content: script })
  const results = await page.evaluate(
    async (all) => {
      const { compare } = globalThis.linnetWriting
      const found: (readonly [string, readonly string[] | null])[] = []
      for (const { name, html, ways } of all) {
        for (const way of ways) {
          const differences = await compare(html, way).catch((thrown: unknown) => [String(thrown)])
          found.push([`${name}, ${way}`, differences])
        }
      }
      return found
    },
    mails.map((mail) => ({ ...mail, ways: waysOf(mail) })),
  )
  await page.close()
  return results
}

test('sends what the reader shows', async ({ sharedChromium }) => {
  test.skip(sharedChromium === null, 'This test needs only a browser; Electron has the same engine.')
  if (sharedChromium === null) return
  const [mails, script] = await Promise.all([collectMail(), bundle()])
  // Two pages use two cores.
  const halves = [0, 1].map((half) => mails.filter((_, index) => index % 2 === half))
  const results = (await Promise.all(halves.map((half) => compareIn(sharedChromium, script, half)))).flat()
  const compared = results.filter(([, differences]) => differences !== null)
  expect(compared.length).toBeGreaterThanOrEqual(2 * 1_500)
  expect(compared.filter(([, differences]) => differences?.length !== 0)).toEqual([])
})
