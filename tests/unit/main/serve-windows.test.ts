import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { serveWindows } from '../../../src/main/serve-windows.ts'
import { WINDOW_URL } from '../../../src/main/window-origin.ts'
import { CALL_CHANNEL, EVENT_CHANNEL } from '../../../src/shared/channels.ts'
import type { AddressedEvent } from '../../../src/shared/contract.ts'
import { ok } from '../../../src/shared/result.ts'

type Listener = Parameters<Parameters<typeof serveWindows>[1]['handle']>[1]
type Sender = { readonly url: string; readonly parent: object | null } | null

/** The main process's side of IPC, with a fake Electron. */
const serve = () => {
  const asked: unknown[] = []
  const told: unknown[] = []
  const left: string[] = []
  const sender = Object.assign(new EventEmitter(), { id: 7 })
  const listeners = new Map<string, Listener>()
  let tell: (event: AddressedEvent) => void = () => undefined
  serveWindows(
    {
      call: (name, input, { accountId, caller }) => {
        asked.push([name, input, accountId, caller])
        return Promise.resolve(ok('answer'))
      },
      subscribe: (listener) => {
        tell = listener
        return () => undefined
      },
      leave: (caller) => left.push(caller),
    },
    { handle: (channel, listener) => void listeners.set(channel, listener) },
    () =>
      [7, 8].map((id) => ({
        webContents: { id, send: (channel: string, event: AddressedEvent) => told.push([channel, event, id]) },
      })),
  )
  const call = async (senderFrame: Sender, name: unknown = 'inbox.list'): Promise<unknown> => {
    const listener = listeners.get(CALL_CHANNEL)
    return (await listener?.({ senderFrame, sender } as never, name, { some: 'input' }, 'account-1')) as unknown
  }
  return { asked, told, left, sender, tell: (event: AddressedEvent) => tell(event), call }
}

describe('a call to the main process', () => {
  it('is answered for the window’s own top page', async () => {
    const { asked, call } = serve()
    expect(await call({ url: WINDOW_URL, parent: null })).toEqual(ok('answer'))
    expect(await call({ url: `${WINDOW_URL}#/settings`, parent: null })).toEqual(ok('answer'))
    expect(asked).toEqual([
      ['inbox.list', { some: 'input' }, 'account-1', 'window 7'],
      ['inbox.list', { some: 'input' }, 'account-1', 'window 7'],
    ])
  })

  it.each([
    ['a mail’s frame, which has the window’s own address', { url: 'about:srcdoc', parent: {} }],
    ['a frame inside the window with its address', { url: WINDOW_URL, parent: {} }],
    ['another site', { url: 'https://evil.example/', parent: null }],
    ['another host of the window’s scheme', { url: 'linnet://other/index.html', parent: null }],
    ['a file', { url: 'file:///index.html', parent: null }],
    ['an empty page', { url: 'about:blank', parent: null }],
    ['a page without an address', { url: '', parent: null }],
    ['a frame that is gone', null],
  ])('is rejected for %s', async (_, sender) => {
    const { asked, call } = serve()
    await expect(call(sender)).rejects.toThrow('not come from a Linnet window')
    expect(asked).toEqual([])
  })
})

describe('a closed window', () => {
  it('is reported once, under the name it used', async () => {
    const { call, left, sender } = serve()
    await call({ url: WINDOW_URL, parent: null })
    await call({ url: WINDOW_URL, parent: null })
    expect(left).toEqual([])
    sender.emit('destroyed')
    expect(left).toEqual(['window 7'])
  })
})

describe('a window whose process crashed', () => {
  it('is reported each time, as it asks again under the same name', async () => {
    const { call, left, sender } = serve()
    await call({ url: WINDOW_URL, parent: null })
    sender.emit('render-process-gone')
    await call({ url: WINDOW_URL, parent: null })
    sender.emit('render-process-gone')
    expect(left).toEqual(['window 7', 'window 7'])
  })
})

describe('an event', () => {
  it('reaches every window', () => {
    const { told, tell } = serve()
    const event = { name: 'account.changed', payload: {}, accountId: null } as never
    tell(event)
    expect(told).toEqual([
      [EVENT_CHANNEL, event, 7],
      [EVENT_CHANNEL, event, 8],
    ])
  })

  it('of a link reaches only the front window, which follows it', () => {
    const { told, tell } = serve()
    const event = { name: 'link.waiting', payload: null, accountId: null } as const
    tell(event)
    expect(told).toEqual([[EVENT_CHANNEL, event, 7]])
  })
})
