import axe from 'axe-core'
import { collectMail, type CollectedMail } from '../support/collected-mail.ts'
import { bundleReader } from './bundle.ts'
import { expect, test } from './linnet.ts'

/** Random messages, besides those of the corpora. */
const GENERATED = Number(process.env.LINNET_TEST_GENERATED ?? 100)

test('gives all words of a message an ink that can be read, with pictures blocked', async ({ sharedChromium }) => {
  test.skip(sharedChromium === null, 'This test needs only a browser; Electron has the same engine.')
  if (sharedChromium === null) return
  test.setTimeout(600_000)
  const script = await bundleReader()
  const all = await collectMail(GENERATED)
  const check = async (mails: readonly CollectedMail[]): Promise<readonly string[]> => {
    const page = await sharedChromium.newPage({ viewport: { width: 900, height: 800 } })
    await page.addScriptTag({ content: script })
    await page.addScriptTag({ content: axe.source })
    const faults = await page.evaluate(async (messages) => {
      const { sanitizeHtml, isHeavyHtml, buildFrameDocument, repaintMarkup, makeInkReadable } = globalThis.linnetReader
      const found: string[] = []
      for (const { name, html } of messages) {
        if (isHeavyHtml(html)) continue
        const { markup, isUnstyled } = sanitizeHtml(html)
        for (const paper of ['light', 'dark'] as const) {
          const drawn = new DOMParser().parseFromString(
            buildFrameDocument(isUnstyled ? markup : repaintMarkup(markup, paper), paper, 14),
            'text/html',
          )
          document.head.replaceChildren(...drawn.head.querySelectorAll('style'))
          document.body.replaceChildren(...drawn.body.childNodes)
          const mail = document.querySelector<HTMLElement>('#linnet-mail')
          if (mail === null) continue
          makeInkReadable(mail)
          // Words with hardly any contrast are hidden on purpose, and stay so.
          const { violations } = await globalThis.axe.run(mail, { runOnly: ['color-contrast'] })
          for (const { nodes } of violations)
            for (const { any, html: where } of nodes) {
              const data = any[0]?.data as { contrastRatio?: number } | undefined
              if ((data?.contrastRatio ?? 0) > 1.1)
                found.push(`${name}, ${paper}: ${data?.contrastRatio ?? '?'} in ${where.slice(0, 100)}`)
            }
        }
      }
      return found
    }, mails)
    await page.close()
    return faults
  }
  const halves = [0, 1].map((half) => all.filter((_, index) => index % 2 === half))
  expect((await Promise.all(halves.map(check))).flat()).toEqual([])
})
