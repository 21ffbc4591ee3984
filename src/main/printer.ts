import { randomUUID } from 'node:crypto'
import type { BaseWindow, BrowserWindow, Session } from 'electron'
import type { Printer } from '../host/print-jobs.ts'
import { ProblemError } from '../shared/result.ts'

interface PrintingElectron {
  readonly BrowserWindow: typeof BrowserWindow
  readonly session: { readonly fromPartition: (name: string, options: { readonly cache: boolean }) => Session }
}

/** Scheme used only for the document itself. */
const SCHEME = 'linnet-print'
const ADDRESS = `${SCHEME}:document`

/** Also sent as a header, which comes before anything in the document. */
const POLICY =
  "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; sandbox"

/** Countries that print on US Letter. All others use A4. */
const LETTER = new Set(['US', 'CA', 'MX', 'CL', 'CO', 'CR', 'GT', 'PA', 'PH', 'PR', 'SV', 'VE'])

const MARGINS = { top: 0.6, bottom: 0.6, left: 0.6, right: 0.6 } as const

const failed = (reason: string): ProblemError =>
  new ProblemError({
    code: 'internal',
    message: 'Printing failed. Try another printer, or save as PDF.',
    details: { reason },
  })

/**
 * Prints through hidden windows: sandboxed, without scripts or preload. Each has its own temporary session that loads
 * only the document.
 * @param country the user's, such as `US`
 */
export const createPrinter = (
  { BrowserWindow: Window, session }: PrintingElectron,
  country: () => string,
  mainWindow: () => BaseWindow | null,
): Printer => {
  const load = async (html: string): Promise<BrowserWindow> => {
    const own = session.fromPartition(`${SCHEME}-${randomUUID()}`, { cache: false })
    own.setPermissionRequestHandler((_contents, _permission, decide) => decide(false))
    own.setPermissionCheckHandler(() => false)
    own.on('will-download', (event) => event.preventDefault())
    own.webRequest.onBeforeRequest(({ url }, decide) => decide({ cancel: url !== ADDRESS && !url.startsWith('data:') }))
    own.protocol.handle(
      SCHEME,
      () =>
        new Response(html, {
          headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY },
        }),
    )
    const parent = mainWindow()
    const window = new Window({
      show: false,
      ...(parent === null ? {} : { parent }),
      webPreferences: {
        session: own,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        javascript: false,
        webgl: false,
        plugins: false,
        spellcheck: false,
        disableDialogs: true,
      },
    })
    try {
      await window.loadURL(ADDRESS)
      return window
    } catch (thrown) {
      window.destroy()
      throw thrown
    }
  }

  const withDocument = async <Value>(html: string, work: (window: BrowserWindow) => Promise<Value>): Promise<Value> => {
    const window = await load(html)
    try {
      return await work(window)
    } finally {
      window.destroy()
    }
  }

  return {
    print: (html) =>
      withDocument(
        html,
        ({ webContents }) =>
          new Promise((resolve, reject) => {
            webContents.print({ silent: false, printBackground: true }, (isDone, reason) => {
              if (isDone || /cancel/i.test(reason)) resolve()
              else reject(failed(reason))
            })
          }),
      ),
    toPdf: (html) =>
      withDocument(html, async ({ webContents }) => {
        const pageSize = LETTER.has(country()) ? 'Letter' : 'A4'
        const pdf = await webContents.printToPDF({ printBackground: true, pageSize, margins: MARGINS })
        return new Uint8Array(pdf)
      }),
  }
}
