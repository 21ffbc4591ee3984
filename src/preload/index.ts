/** Exposes the transport to the window and handles Chromium's spell checks. No key, file or Node access. */
import { contextBridge, ipcRenderer, webFrame, type IpcRendererEvent } from 'electron'
import type { AddressedEvent, CommandInput, CommandName, CommandOutput, Transport } from '../shared/contract.ts'
import { CALL_CHANNEL, EVENT_CHANNEL } from '../shared/channels.ts'
import type { Result } from '../shared/result.ts'
import { SpellCheck } from './spell-check.ts'

const transport: Transport = {
  call: (name, input, accountId) => ipcRenderer.invoke(CALL_CHANNEL, name, input, accountId),
  subscribe: (listener) => {
    const forward = (_: IpcRendererEvent, event: AddressedEvent): void => listener(event)
    ipcRenderer.on(EVENT_CHANNEL, forward)
    return () => ipcRenderer.off(EVENT_CHANNEL, forward)
  },
}

contextBridge.exposeInMainWorld('linnet', transport)

const ask = async <Name extends CommandName>(
  name: Name,
  input: CommandInput<Name>,
): Promise<CommandOutput<Name> | null> => {
  // The host implements the same contract that `CommandOutput` is derived from, so the cast is safe.
  const result = (await transport.call(name, input, null)) as Result<CommandOutput<Name>>
  return result.ok ? result.data : null
}

const spelling = new SpellCheck(async (words) => (await ask('spelling.check', { words: [...words] }))?.misspelt ?? null)

/** Handles Chromium's spell checks, but only where Linnet has the dictionaries. Elsewhere the system checks. */
const followSpelling = async (): Promise<void> => {
  // A closing page gets no response. Its replacement makes its own request.
  const state = await ask('spelling.state', {}).catch(() => null)
  if (state?.by !== 'dictionaries') return
  spelling.forget()
  const [language = 'en'] = state.active
  webFrame.setSpellCheckProvider(language, {
    spellCheck: (words, answer) => (state.active.length === 0 ? answer([]) : spelling.check(words, answer)),
  })
}

transport.subscribe(({ name }) => {
  if (name === 'preferences.changed' || name === 'spelling.changed') void followSpelling()
})
void followSpelling()
