/** Search as you type: one request per letter, and rows that stay put when more data arrives. */
import type { Page } from '@playwright/test'
import { expect, test } from './linnet.ts'

const THREADS = 70
const WORD = 'lantern'
/** Maximum size of all responses to a letter, in bytes. */
const MAX_BYTES = 40 * 1024

interface Line {
  /** True if the command was called since the last `take`. */
  readonly hasAsked: (name: string) => boolean
  /** Since the last call: commands called, bytes received, and whether people were requested before a list came. */
  readonly take: () => { readonly asked: readonly string[]; readonly bytes: number; readonly isSuggestedFirst: boolean }
  /** Holds back excerpts, and omits them from rows, as a slow disk would. */
  readonly hold: () => void
  /** True if any excerpts are held back. */
  readonly isHeldUp: () => boolean
  readonly release: () => void
}

/** Intercepts the window's connection to its host, from its next load on. */
const listen = async (page: Page): Promise<Line> => {
  let [asked, bytes]: [string[], number] = [[], 0]
  let held: (() => void)[] | null = null
  const excerpts = new Set<number>()
  const lists = new Set<number>()
  let isSuggestedFirst = false
  await page.routeWebSocket(/.*/, (line) => {
    const host = line.connectToServer()
    line.onMessage((message) => {
      const { id, name } = JSON.parse(String(message)) as { readonly id: number; readonly name: string }
      asked.push(name)
      if (name === 'thread.excerpts') excerpts.add(id)
      if (name === 'thread.list') lists.add(id)
      if (name === 'person.suggest') isSuggestedFirst ||= lists.size > 0
      host.send(message)
    })
    host.onMessage((message) => {
      const text = String(message)
      bytes += Buffer.byteLength(text)
      const answer = JSON.parse(text) as { readonly id?: number; readonly result?: { readonly data?: object } }
      const { id = -1 } = answer
      const isList = lists.delete(id)
      if (held !== null && excerpts.has(id)) held.push(() => line.send(message))
      else if (held !== null && isList) {
        const { excerpts: _late, ...data } = (answer.result?.data ?? {}) as Record<string, unknown>
        line.send(JSON.stringify({ ...answer, result: { ...answer.result, data } }))
      } else line.send(message)
    })
  })
  return {
    hasAsked: (name) => asked.includes(name),
    take: () => {
      const taken = { asked, bytes, isSuggestedFirst }
      ;[asked, bytes, isSuggestedFirst] = [[], 0, false]
      return taken
    },
    hold: () => {
      held = []
    },
    isHeldUp: () => held !== null && held.length > 0,
    release: () => {
      for (const pass of held ?? []) pass()
      held = null
    },
  }
}

const rowsOf = (page: Page) => page.getByRole('listbox', { name: 'Threads' }).getByRole('option')

test('answers each letter with one list, and adds excerpts without moving rows', async ({
  linnet: { page },
  platform,
  hostKind,
}) => {
  test.skip(hostKind !== 'browser', 'Electron’s connection to the engine cannot be observed.')
  const body = `${'The harbour is quiet tonight, and nobody is about. '.repeat(8)}A ${WORD} burns.`
  for (let at = 0; at < THREADS; at += 1) {
    await platform.deliver({
      ...{ from: `Ada <ada${at}@quay.example>`, subject: `Day ${at}` },
      ...(at % 2 === 0 ? { text: body } : { html: `<p>${body}</p>` }),
    })
  }
  await page.keyboard.press('F5')
  await expect(rowsOf(page).first()).toHaveAttribute('aria-setsize', String(THREADS))
  const line = await listen(page)
  await page.reload()
  await expect(rowsOf(page).first()).toHaveAttribute('aria-setsize', String(THREADS))
  await page.keyboard.press('/')
  await page.keyboard.type('day ')
  await expect(rowsOf(page).first().locator('mark').first()).toHaveText('Day')
  // All mail is stored, and nothing else arrives.
  await expect(page.getByRole('status', { name: 'Search scope' })).toHaveText('This computer')
  await platform.pause()

  // The first letters could be the start of "label:", so they are not searched yet.
  const begun = 3
  line.take()
  await page.getByRole('combobox', { name: 'Search mail' }).fill(WORD.slice(0, begun))
  const expectExcerpts = async (word: string): Promise<void> => {
    for (const row of [0, 3]) await expect(rowsOf(page).nth(row).locator('.preview mark').first()).toHaveText(word)
  }
  await expectExcerpts(WORD)
  await expect.poll(() => line.hasAsked('person.suggest')).toBe(true)
  for (const typed of WORD.slice(begun)) {
    line.take()
    await page.keyboard.type(typed)
    await expect.poll(() => line.hasAsked('person.suggest'), { message: typed }).toBe(true)
    // After this time everything has arrived.
    await page.waitForTimeout(500)
    await expectExcerpts(WORD)
    const { asked, bytes, isSuggestedFirst } = line.take()
    // People are requested once the list has arrived.
    expect(
      asked.filter((name) => /^(?:thread\.list|person\.suggest)$/.test(name)),
      typed,
    ).toEqual(['thread.list', 'person.suggest'])
    expect(isSuggestedFirst, typed).toBe(false)
    expect(
      asked.filter((name) => !/^(?:thread\.list|thread\.excerpts|thread\.countByFolder|person\.suggest)$/.test(name)),
      typed,
    ).toEqual([])
    expect(bytes, typed).toBeLessThan(MAX_BYTES)
  }

  // Nothing is known about another search yet.
  await page.getByRole('combobox', { name: 'Search mail' }).fill('')
  await expect(rowsOf(page).first().locator('mark')).toHaveCount(0)
  line.hold()
  await page.keyboard.type('burns')
  await expect.poll(() => line.isHeldUp()).toBe(true)
  await expect(rowsOf(page).first().locator('mark')).toHaveCount(0)
  // After this time, folder counts and people have arrived.
  await page.waitForTimeout(500)
  const places = (): Promise<readonly (readonly number[])[]> =>
    rowsOf(page).evaluateAll((rows) =>
      rows.flatMap((row) =>
        [row, ...row.querySelectorAll('.subject, .preview, time')].map((part) => {
          const { x, y, height } = part.getBoundingClientRect()
          return [x, y, height]
        }),
      ),
    )
  await page.evaluate(() => {
    interface Shift extends PerformanceEntry {
      readonly value: number
      readonly sources: readonly { readonly node: Node | null }[]
    }
    const list = document.querySelector('[role=listbox][aria-label=Threads]')
    const shifts: number[] = []
    // Only shifts in the list count: a clock is running elsewhere in the window.
    const note = ({ value, sources }: Shift): void => {
      if (sources.some(({ node }) => list?.contains(node) === true)) shifts.push(value)
    }
    const observer = new PerformanceObserver((entries) => (entries.getEntries() as Shift[]).forEach(note))
    observer.observe({ type: 'layout-shift' })
    Object.assign(window, { shifts })
  })
  const before = await places()
  line.release()
  await expect(rowsOf(page).first().locator('.preview mark').first()).toHaveText('burns')
  await page.waitForTimeout(500)
  expect(await places()).toEqual(before)
  expect(await page.evaluate(() => (window as unknown as { shifts: readonly number[] }).shifts)).toEqual([])
})
