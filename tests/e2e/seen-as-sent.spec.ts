import type { Browser } from '@playwright/test'
import { collectMail, type CollectedMail } from '../support/collected-mail.ts'
import { bundle } from './bundle.ts'
import { expect, test } from './linnet.ts'

type Way = 'answer' | 'forward' | 'paste'

declare global {
  var linnetWriting: { readonly compare: (html: string, way: Way) => Promise<readonly string[] | null> }
}

/** Without pictures, an answer quotes what a forward does. */
const waysOf = ({ html }: CollectedMail): readonly Way[] =>
  /<img|background/i.test(html) ? ['answer', 'forward', 'paste'] : ['forward', 'paste']

type Results = readonly (readonly [name: string, differences: readonly string[] | null])[]

const compareIn = async (browser: Browser, script: string, mails: readonly CollectedMail[]): Promise<Results> => {
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
  const [mails, script] = await Promise.all([
    collectMail(),
    bundle('tests/unit/renderer/support/seen-as-sent.ts', 'linnetWriting'),
  ])
  // Two pages use two cores.
  const halves = [0, 1].map((half) => mails.filter((_, index) => index % 2 === half))
  const results = (await Promise.all(halves.map((half) => compareIn(sharedChromium, script, half)))).flat()
  const compared = results.filter(([, differences]) => differences !== null)
  expect(compared.length).toBeGreaterThanOrEqual(2 * 1_500)
  expect(compared.filter(([, differences]) => differences?.length !== 0)).toEqual([])
})
