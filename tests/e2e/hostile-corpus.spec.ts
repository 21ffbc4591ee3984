import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { hostileCorpus } from '../support/hostile-corpus.ts'
import { runByPalette } from '../support/screens.ts'
import { expect, goTo, test } from './linnet.ts'
import { pretendInternet } from './pretend-internet.ts'

/** E-mails per conversation: as many as unfold at once if all are unread. */
const BATCH = 8
const DOMAIN = 'leak.test'
/** A local name whose lookups must appear in the log. */
const CONTROL = 'control.localhost'

/** Names that any part of Chromium looked up, according to its own log. */
const lookUpsIn = (log: string): readonly string[] => {
  const type = /"HOST_RESOLVER_MANAGER_REQUEST":(\d+)/.exec(log)?.[1] ?? 'not logged'
  return log
    .split('\n')
    .filter((line) => line.includes(`"type":${type}}`))
    .flatMap((line) => /"host":"([^"]+)"/.exec(line)?.[1] ?? [])
}

/** The page around the mail, except for what rows and e-mails change. */
const surroundings = (page: Page): Promise<unknown> =>
  page.evaluate(() => {
    const place = (selector: string): unknown => {
      const element = document.querySelector(selector)
      const { x, y, width, height } = element?.getBoundingClientRect() ?? new DOMRect()
      const top = document.elementFromPoint(x + width / 2, y + height / 2)
      return [selector, x, y, width, height, element?.contains(top)]
    }
    const attributes = (element: Element): unknown =>
      [...element.attributes].flatMap(({ name, value }) => (value === '' ? [] : [[name, value]]))
    return {
      // Exclude the unread count, and the window's own modules loaded in the meantime, such as the editor.
      head: document.head.innerHTML
        .replace(/\(\d+\) /, '')
        .replaceAll(/<link rel="modulepreload"[^<>]*>/g, (link) =>
          link.includes(`href="${location.origin}/assets/`) ? '' : link,
        ),
      root: attributes(document.documentElement),
      body: [attributes(document.body), [...document.body.children].map(({ tagName, id }) => [tagName, id])],
      sheets: document.styleSheets.length,
      places: ['nav', '[role=toolbar]', '[role=combobox]', '[role=listbox]'].map(place),
      hasRun: '__ran' in globalThis,
      isWithin: window === window.top,
    }
  })

/** True if every e-mail of the conversation is drawn and every iframe still holds mail. */
const areDrawn = (page: Page, count: number): Promise<boolean> =>
  page.evaluate((expected) => {
    const articles = [...document.querySelectorAll('article')]
    const frames = [...document.querySelectorAll('article iframe')] as HTMLIFrameElement[]
    return (
      articles.filter((article) => article.querySelector('[aria-expanded=true]') !== null).length === expected &&
      frames.every((frame) => (frame.contentDocument?.querySelector('#linnet-mail') ?? null) !== null)
    )
  }, count)

const note = (page: Page, hasText: RegExp) => page.getByRole('note', { name: 'Blocked content' }).filter({ hasText })

const TITLE = 'loads only allowed pictures, and lets no hostile mail run, navigate or change the window'

for (const way of ['directly', 'behind a proxy'])
  test(`${TITLE}, ${way}`, async ({ platform, dataDirectory, launch, hostKind }) => {
    const messages = hostileCorpus(DOMAIN)
    expect(messages.length).toBeGreaterThanOrEqual(150)
    const batches = Array.from({ length: Math.ceil(messages.length / BATCH) }, (_, index) =>
      messages.slice(index * BATCH, (index + 1) * BATCH),
    )
    const deliverBatch = async (batch: (typeof batches)[number], index: number): Promise<void> => {
      const first = `<batch-${index}@hostile.example>`
      for (const [place, { html }] of batch.entries()) {
        await platform.deliver({
          from: 'Hostile <hostile@hostile.example>',
          subject: `Batch ${index}.`,
          html,
          ...(place === 0 ? { messageId: first } : { inReplyTo: first, references: first }),
        })
      }
    }
    // Deliver before Linnet starts: if part of a conversation is already stored, later mail is folded.
    await Promise.all(batches.map(deliverBatch))

    const log = join(dataDirectory, 'net-log.json')
    const internet = await pretendInternet(dataDirectory, hostKind)
    const { env, switches } = way === 'directly' ? internet.launch : internet.launchBehindProxy
    const linnet = await launch({
      dataDirectory,
      env: { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey, ...env },
      // Logs every lookup, connection and request of all parts of Chromium.
      switches: [...switches, `--log-net-log=${log}`],
    })
    const { page } = linnet
    const opened: string[] = []
    page.context().on('page', (other) => opened.push(other.url()))
    const left: string[] = []
    page.on('framenavigated', (frame) => {
      if (frame !== page.mainFrame() && frame.url() !== 'about:srcdoc') left.push(frame.url())
    })
    await page.getByRole('navigation', { name: 'Mailboxes' }).waitFor()
    await expect(page.getByText(`${batches.length} threads`)).toBeVisible()
    const { data } = (await platform.ask(`/inboxes/${platform.inboxId}/threads?limit=100`)) as {
      data: readonly { readonly id: string; readonly subject: string }[]
    }
    const idOf = (index: number): string => data.find(({ subject }) => subject === `Batch ${index}.`)?.id ?? ''
    const address = page.url().replace(/#.*/, '')

    let before: unknown = null
    for (const [index, batch] of batches.entries()) {
      await goTo(page, `#/inboxes/${platform.inboxId}/inbox/threads/${idOf(index)}`)
      await expect(page.getByRole('heading', { level: 1, name: `Batch ${index}.` })).toBeVisible()
      await expect.poll(() => areDrawn(page, batch.length)).toBe(true)
      before ??= await surroundings(page)
      expect(await surroundings(page)).toEqual(before)
      const hosts = batch.map((_, place) => `m${index * BATCH + place}.${DOMAIN}/`)
      expect(internet.asked().filter((each) => hosts.some((host) => each.startsWith(host)))).toEqual([])

      if ((await note(page, /pictures? .*blocked/).count()) === 0) continue
      await runByPalette(page, 'Show pictures')
      await expect(note(page, /^Loading/)).toHaveCount(0)
      await expect(note(page, /pictures? .*The sender can’t see/)).toHaveCount(0)
      await expect.poll(() => areDrawn(page, batch.length)).toBe(true)
      expect(await surroundings(page)).toEqual(before)
    }
    // A user's browser contacts its vendor; Electron makes no requests at all.
    const asked = new Set(internet.asked().filter((each) => hostKind === 'electron' || each.includes(DOMAIN)))
    const allowed = messages.flatMap(({ html }, index) =>
      html.includes('/picture') ? [`m${index}.${DOMAIN}/picture`] : [],
    )
    expect([...asked].filter((each) => !allowed.includes(each))).toEqual([])
    // Not all allowed addresses: a parser treats some as text, and requests nothing.
    expect(asked.size).toBeGreaterThan(allowed.length / 2)
    expect([opened, left, page.url().replace(/#.*/, '')]).toEqual([[], [], address])

    await test.step('the log contains every look-up and request by Chromium', async () => {
      if (linnet.electron === null) {
        // A picture in an unprotected page. This browser doesn't follow DNS prefetch hints.
        const plain = await page.context().browser()?.newPage()
        await plain?.setContent(`<iframe srcdoc="<img src=http://${CONTROL}:9/x>"></iframe>`)
        await plain?.close()
      } else {
        await linnet.electron.evaluate(
          ({ session }, host) => session.defaultSession.resolveHost(host).catch(() => null),
          CONTROL,
        )
      }
      await linnet.close()
      const told = await readFile(log, 'utf8')
      expect(lookUpsIn(told)).toContainEqual(expect.stringContaining(CONTROL))
      expect(told).not.toContain(DOMAIN)
    })
    await internet.stop()
  })
