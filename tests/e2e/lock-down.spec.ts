/** Electron's security checklist, in the running app (docs/security.md). */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Platform } from '../support/platform.ts'
import { deliverAll, expect, test, type Linnet } from './linnet.ts'

test.skip(({ hostKind }) => hostKind !== 'electron', 'Electron only; way-in.spec tests the browser host.')

const expectSandboxed = async ({ page, electron }: Linnet): Promise<void> => {
  const preferences: Record<string, unknown> | undefined = await electron?.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents
    // Missing from Electron's types.
    return (contents as unknown as { getLastWebPreferences: () => Record<string, unknown> }).getLastWebPreferences()
  })
  expect(preferences).toMatchObject({
    ...{ sandbox: true, contextIsolation: true, nodeIntegration: false, nodeIntegrationInSubFrames: false },
    ...{ webSecurity: true, webviewTag: false },
  })
  for (const name of [
    'nodeIntegrationInWorker',
    'allowRunningInsecureContent',
    'experimentalFeatures',
    'enableBlinkFeatures',
  ])
    expect([undefined, false, ''], name).toContain(preferences?.[name])
  const inPage = await page.evaluate(() => ({
    node: ['require', 'process', 'module', 'Buffer', 'global', '__dirname'].filter((name) => name in globalThis),
    door: Object.keys((globalThis as { linnet?: object }).linnet ?? {}).toSorted(),
    origin: location.origin,
    webview: Object.getPrototypeOf(document.createElement('webview')) === HTMLElement.prototype,
  }))
  expect(inPage).toEqual({
    node: [],
    door: ['call', 'subscribe'],
    origin: 'linnet://app',
    webview: true,
  })
}

const expectNoGuests = async ({ electron }: Linnet): Promise<void> => {
  const asked = await electron?.evaluate(async ({ BrowserWindow, webContents }) => {
    const window = new BrowserWindow({ show: false, webPreferences: { webviewTag: true } })
    try {
      await window.loadURL('about:blank')
      // The lock-down's listeners run before this one.
      const isPrevented = new Promise<boolean>((resolve) => {
        window.webContents.on('will-attach-webview', (event) => resolve(event.defaultPrevented))
      })
      await window.webContents.executeJavaScript(
        `document.body.append(Object.assign(document.createElement('webview'), { src: 'about:blank' }))`,
      )
      return {
        isPrevented: await isPrevented,
        guests: webContents.getAllWebContents().filter((each) => each.getType() === 'webview').length,
      }
    } finally {
      window.destroy()
    }
  })
  expect(asked).toEqual({ isPrevented: true, guests: 0 })
}

const expectOwnPolicy = async ({ electron }: Linnet): Promise<void> => {
  const read = (url: string) =>
    electron?.evaluate(async ({ net }, asked) => {
      const response = await net.fetch(asked)
      return { status: response.status, policy: response.headers.get('content-security-policy') ?? '' }
    }, url)
  const own = await read('linnet://app/index.html')
  expect(own?.status).toBe(200)
  for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "form-action 'none'"])
    expect(own?.policy).toContain(part)
  expect(own?.policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|https?:|\*/)
  for (const other of [
    'linnet://app/../../package.json',
    'linnet://app/%2e%2e/%2e%2e/package.json',
    'linnet://app/..%2f..%2fpackage.json',
    'linnet://app/..%5c..%5cpackage.json',
    'linnet://app//etc/passwd',
    // An existing file of a type that the window uses.
    'linnet://app/..%2fmain%2ftray.png',
    'linnet://app/%2e%2e%2fmain/tray.png',
    'linnet://other/index.html',
  ])
    expect((await read(other))?.status, other).toBe(404)
}

const expectFrameLocked = async ({ page }: Linnet, platform: Platform): Promise<void> => {
  const html = '<p>Hello <b>there</b></p><script>parent.linnet.call("x")</script>'
  await deliverAll(page, platform, [{ from: 'a@b.example', subject: 'Hello', text: 'Hello', html }])
  await page.keyboard.press('Enter')
  const frame = page.getByRole('article').locator('iframe').first()
  await expect(frame.contentFrame().getByText('there')).toBeVisible()
  expect(((await frame.getAttribute('sandbox')) ?? 'none').split(' ')).not.toContain('allow-scripts')
}

const expectConfined = async ({ page, electron }: Linnet): Promise<void> => {
  let asked = 0
  const server = createServer((_request, response) => {
    asked += 1
    response.end('reached')
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const outside = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  try {
    await electron?.evaluate(({ shell }) => {
      const opened: string[] = []
      Object.assign(globalThis, { opened })
      shell.openExternal = (url) => {
        opened.push(url)
        return Promise.resolve()
      }
    })
    const home = page.url()
    for (const to of [outside, 'file:///etc/passwd', 'data:text/html,hello', 'javascript:void 0']) {
      await page.evaluate((url) => {
        const link = document.createElement('a')
        link.href = url
        link.click()
      }, to)
    }
    const tried = await page.evaluate(async (url) => {
      const fails = (work: Promise<unknown>): Promise<boolean> =>
        work.then(
          () => false,
          () => true,
        )
      const frame = document.createElement('iframe')
      frame.src = url
      document.body.append(frame)
      const picture = new Image()
      const hasNoPicture = fails(
        new Promise((resolve, reject) => {
          picture.onload = resolve
          picture.onerror = () => reject(new Error('not loaded'))
        }),
      )
      picture.src = url
      const code = document.createElement('script')
      code.textContent = 'globalThis.ran = true'
      document.body.append(code)
      const answer = {
        windows: [window.open(url), window.open('file:///etc/passwd'), window.open('ms-msdt:/id')].map(String),
        fetch: await fails(fetch(url)),
        socket: await fails(
          new Promise((resolve, reject) => {
            const socket = new WebSocket(url.replace('http', 'ws'))
            socket.onopen = resolve
            socket.onerror = () => reject(new Error('not opened'))
          }),
        ),
        picture: await hasNoPicture,
        script: 'ran' in globalThis,
        place: await fails(
          new Promise((resolve, reject) => {
            navigator.geolocation.getCurrentPosition(resolve, () => reject(new Error('refused')))
          }),
        ),
        camera: await fails(navigator.mediaDevices.getUserMedia({ video: true })),
        clipboard: await fails(navigator.clipboard.readText()),
        notices: await Notification.requestPermission(),
      }
      frame.remove()
      code.remove()
      return answer
    }, outside)
    expect(tried).toEqual({
      windows: ['null', 'null', 'null'],
      ...{ fetch: true, socket: true, picture: true, script: false, place: true, camera: true, clipboard: true },
      notices: 'denied',
    })
    // Not just the page's policy: the session blocks every request.
    const loaded = await electron?.evaluate(async ({ BrowserWindow }, url) => {
      const window = new BrowserWindow({ show: false })
      const said = await window.loadURL(url).then(() => 'loaded', String)
      window.destroy()
      return said
    }, outside)
    expect(loaded).toContain('ERR_BLOCKED_BY_CLIENT')
    expect(page.url()).toBe(home)
    expect(page.frames().filter((frame) => frame.url().startsWith('http'))).toEqual([])
    expect(asked).toBe(0)
    // A link may open a page or a message, but no program.
    expect(await electron?.evaluate(() => (globalThis as { opened?: string[] }).opened)).toEqual([outside])
    expect(await electron?.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
  } finally {
    server.close()
  }
}

/** A download started by a page is stopped before a file is created. */
const expectNoDownload = async ({ page, electron }: Linnet): Promise<void> => {
  const downloads = await electron?.evaluateHandle(({ session }) => {
    const prevented: boolean[] = []
    session.defaultSession.on('will-download', (event) => prevented.push(event.defaultPrevented))
    return prevented
  })
  await page.evaluate(() => {
    const anchor = document.createElement('a')
    anchor.href = URL.createObjectURL(new Blob(['x']))
    anchor.download = 'invoice.exe'
    anchor.click()
  })
  await expect.poll(() => downloads?.jsonValue()).toEqual([true])
}

test('locks down the window, its page and the frame of a mail', async ({ linnet, platform }) => {
  await test.step('the window is sandboxed and isolated, without unneeded features', () => expectSandboxed(linnet))
  await test.step('pages cannot attach a webview, even in a window that allows it', () => expectNoGuests(linnet))
  await test.step('the page has its own policy, and its scheme serves no other files', () => expectOwnPolicy(linnet))
  await test.step('a mail’s frame runs no scripts', () => expectFrameLocked(linnet, platform))
  await test.step('a page cannot start a download', () => expectNoDownload(linnet))
  await test.step('the page cannot navigate, open windows, make requests or gain permissions', () =>
    expectConfined(linnet))
})
