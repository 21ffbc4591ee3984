/** Unexpected responses of the platform, reported where the request was made. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { connect, expect, goTo, makeLabels, test } from './linnet.ts'
import { takePictures } from './take-pictures.ts'

interface Refusal {
  readonly status: number
  readonly name: string
  readonly message: string
}

/** Starts a server in front of a platform. It responds itself to the requests chosen with `refuse`. */
const openDoor = async (target: string) => {
  let refusalOf: (method: string, path: string) => Refusal | null = () => null
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming
    const refusal = refusalOf(method, url)
    if (refusal !== null) {
      outgoing.writeHead(refusal.status, { 'content-type': 'application/json' })
      outgoing.end(JSON.stringify({ statusCode: refusal.status, name: refusal.name, message: refusal.message }))
      return
    }
    const forwarded = request(`${target}${url}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refuse: (path: RegExp | null, refusal: Partial<Refusal> = {}) => {
      const { status = 404, name = 'not_found', message = 'Not found.' } = refusal
      refusalOf = (method, asked) => (method === 'GET' && path?.test(asked) === true ? { status, name, message } : null)
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Takes screenshots if `LINNET_TEST_PICTURES` names a folder. */
const picture = async (page: Page, name: string): Promise<void> => {
  const size = page.viewportSize()
  if (process.env.LINNET_TEST_PICTURES === undefined || size === null) return
  for (const [width, height] of [
    [1440, 900],
    [1024, 700],
  ] as const) {
    await page.setViewportSize({ width, height })
    await takePictures(page, `${name}-${width}`)
  }
  await page.setViewportSize(size)
}

/** Starts a server that responds with one space after the other, forever. */
const openDrip = async () => {
  const drips: NodeJS.Timeout[] = []
  const server = createServer((_incoming, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'application/json' })
    outgoing.write(' ')
    drips.push(setInterval(() => outgoing.write(' '), 50))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      for (const drip of drips) clearInterval(drip)
      server.closeAllConnections()
      server.close()
    },
  }
}

test('reports unexpected platform responses in place and keeps what is known', async ({
  platform,
  dataDirectory,
  launch,
}) => {
  await makeLabels(platform, 'Bills')
  await platform.deliver({
    from: 'Ada Quill <ada@harbour.example>',
    cc: 'Cleo Pier <cleo@harbour.example>',
    subject: 'Fog until noon',
    text: 'The lantern stays lit.',
  })
  await platform.ask('/contacts', { method: 'POST', body: { email: 'ada@harbour.example', first_name: 'Ada' } })
  const door = await openDoor(platform.baseUrl)
  const { page } = await launch({ dataDirectory })

  await test.step('a slow key test is cancelled at once, and the next one runs', async () => {
    const drip = await openDrip()
    await connect(page, { baseUrl: drip.baseUrl, apiKey: platform.apiKey })
    const cancel = page.getByRole('button', { name: 'Cancel' })
    await expect(cancel).toBeVisible()
    await picture(page, 'connecting')
    await cancel.click()
    await expect(cancel).toHaveCount(0)
    await connect(page, { baseUrl: door.baseUrl, apiKey: platform.apiKey })
    await expect(page.getByRole('heading', { name: 'Inbox' })).toBeVisible()
    drip.close()
  })
  await expect(page.getByRole('option', { name: /Fog until noon/ })).toBeVisible()

  await test.step('an e-mail’s header lists its Cc recipients', async () => {
    await page.getByRole('option', { name: /Fog until noon/ }).click()
    await expect(page.getByRole('article').getByText('cc Cleo Pier', { exact: true })).toBeVisible()
    await picture(page, 'copies')
  })

  await test.step('a withheld e-mail keeps its header', async () => {
    door.refuse(/\/emails\/receiving\/[^?]/, { status: 403, name: 'email_above_quota', message: 'Above quota.' })
    await platform.deliver({
      from: 'Ada Quill <ada@harbour.example>',
      cc: 'Cleo Pier <cleo@harbour.example>',
      subject: 'Held back',
      text: 'The tide is in.',
      attachments: [{ filename: 'chart.pdf', content: 'x' }],
    })
    await goTo(page, '#/received')
    await page.keyboard.press('F5')
    await page.getByRole('option', { name: /Held back/ }).click()
    const pane = page.getByRole('region', { name: 'Received message' })
    await expect(pane.getByRole('heading', { level: 1 })).toHaveText('Held back')
    await expect(pane.getByText('ada@harbour.example').first()).toBeVisible()
    await expect(pane.getByText(/^The platform withholds the text/)).toBeVisible()
    await picture(page, 'withheld')
    door.refuse(null)
    await pane.getByRole('button', { name: 'Try again' }).click()
    await expect(pane.getByText('The tide is in.')).toBeVisible()
    await expect(pane.getByText('cc Cleo Pier', { exact: true })).toBeVisible()
  })
  door.close()
})
