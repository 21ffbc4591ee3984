import type { BrowserWindow, Session, WebPreferences } from 'electron'
import { describe, expect, it } from 'vitest'
import { createPrinter } from '../../../src/main/printer.ts'

interface Made {
  readonly options: { readonly show: boolean; readonly webPreferences: WebPreferences }
  isDestroyed: boolean
}

/** Electron's printing: windows that load what their session serves. */
const createElectron = (outcome: { readonly isDone: boolean; readonly reason: string }) => {
  const made: Made[] = []
  const pages: object[] = []
  const served: { address: string; answer: () => Response }[] = []
  let isAllowed = (_url: string): boolean => true
  const session = {
    protocol: { handle: (scheme: string, answer: () => Response) => served.push({ address: scheme, answer }) },
    webRequest: {
      onBeforeRequest: (judge: (request: { url: string }, decide: (answer: { cancel: boolean }) => void) => void) => {
        isAllowed = (url) => {
          let isCancelled = true
          judge({ url }, ({ cancel }) => (isCancelled = cancel))
          return !isCancelled
        }
      },
    },
    setPermissionRequestHandler: () => undefined,
    setPermissionCheckHandler: () => undefined,
    on: () => undefined,
  }
  class Window {
    readonly #made: Made
    constructor(options: Made['options']) {
      this.#made = { options, isDestroyed: false }
      made.push(this.#made)
    }
    readonly loadURL = (): Promise<void> => Promise.resolve()
    readonly destroy = (): void => {
      this.#made.isDestroyed = true
    }
    readonly webContents = {
      printToPDF: (options: object) => {
        pages.push(options)
        return outcome.isDone ? Promise.resolve(Buffer.from('%PDF-1.7')) : Promise.reject(new Error(outcome.reason))
      },
      print: (_options: object, finish: (isDone: boolean, reason: string) => void) =>
        finish(outcome.isDone, outcome.reason),
    }
  }
  const printer = createPrinter(
    {
      BrowserWindow: Window as unknown as typeof BrowserWindow,
      session: { fromPartition: () => session as unknown as Session },
    },
    () => 'US',
    () => null,
  )
  return { printer, made, served, pages, isAllowed: (url: string) => isAllowed(url) }
}

describe('the printer', () => {
  it('prints in a temporary window without scripts or a preload', async () => {
    const electron = createElectron({ isDone: true, reason: '' })
    await electron.printer.print('<p>Hello</p>')
    const [window] = electron.made
    expect(window?.options.webPreferences).toMatchObject({ javascript: false, sandbox: true, nodeIntegration: false })
    expect(window?.options.webPreferences.preload).toBeUndefined()
    expect([window?.options.show, window?.isDestroyed]).toEqual([false, true])
    const answer = electron.served[0]?.answer()
    expect(await answer?.text()).toBe('<p>Hello</p>')
    expect(answer?.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(
      [
        'linnet-print:document',
        'data:image/png;base64,AA',
        'https://a.example/',
        'file:///etc/passwd',
        'linnet://app/',
      ].map(electron.isAllowed),
    ).toEqual([true, true, false, false, false])
  })

  it('creates a PDF in the paper size of the user’s region', async () => {
    const { printer, pages } = createElectron({ isDone: true, reason: '' })
    expect(Buffer.from(await printer.toPdf('<p>Hello</p>')).toString()).toBe('%PDF-1.7')
    expect(pages).toMatchObject([{ pageSize: 'Letter' }])
  })

  it('accepts a cancelled dialog, and reports a failed print', async () => {
    const cancelled = createElectron({ isDone: false, reason: 'Print job canceled' })
    await expect(cancelled.printer.print('')).resolves.toBeUndefined()
    const broken = createElectron({ isDone: false, reason: 'Invalid printer settings' })
    await expect(broken.printer.print('')).rejects.toThrow('Printing failed')
    await expect(broken.printer.toPdf('')).rejects.toThrow()
    expect(broken.made.map(({ isDestroyed }) => isDestroyed)).toEqual([true, true])
  })
})
